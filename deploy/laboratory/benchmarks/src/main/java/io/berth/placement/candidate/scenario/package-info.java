/** Benchmarks of scenarios, in the package of the measured classes, because those are package-private. */
package io.berth.placement.candidate.scenario;
