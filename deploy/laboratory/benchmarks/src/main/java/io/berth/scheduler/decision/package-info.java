/**
 * Benchmarks of the scheduling decision in memory, and the fleets and requests that the benchmarks of other packages
 * use too. They are in the package of the measured classes, because the measured classes are package-private.
 */
package io.berth.scheduler.decision;
