/**
 * Benchmarks of the decision in memory, and the fleets and requests that the benchmarks of other packages use too. In
 * the package of the measured classes, because those are package-private.
 */
package io.berth.scheduler.decision;
