/**
 * Benchmarks of the scheduling decision in memory, and the fleets and requests that the benchmarks of other packages
 * use too.
 */
package io.berth.scheduler.decision;
