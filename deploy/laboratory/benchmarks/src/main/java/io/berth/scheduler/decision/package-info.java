/** Benchmarks of the pure decision, by situation, in the package of the measured classes, which are package-private. */
package io.berth.scheduler.decision;
