/** Benchmarks of allocation candidates, in the package of the measured classes, because those are package-private. */
package io.berth.placement.candidate.response;
