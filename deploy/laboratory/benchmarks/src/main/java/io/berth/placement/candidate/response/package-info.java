/** Benchmarks of allocation candidates, in the package of the measured classes, which are package-private. */
package io.berth.placement.candidate.response;
