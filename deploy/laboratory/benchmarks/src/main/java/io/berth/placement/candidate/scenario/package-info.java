/**
 * Benchmarks of scenarios (fleets with changes that are only assumed), in the package of the measured classes, which
 * are package-private.
 */
package io.berth.placement.candidate.scenario;
