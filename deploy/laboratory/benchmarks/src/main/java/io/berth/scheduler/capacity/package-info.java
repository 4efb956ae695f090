/** Benchmarks of capacity counting, in the package of the measured classes, which are package-private. */
package io.berth.scheduler.capacity;
