/** Benchmarks of capacity counting, in the package of the measured classes, because those are package-private. */
package io.berth.scheduler.capacity;
