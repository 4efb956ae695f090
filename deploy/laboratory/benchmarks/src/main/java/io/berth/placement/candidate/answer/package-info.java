/** Benchmarks of allocation candidates, in the package of the rendering, whose parts are package-private. */
package io.berth.placement.candidate.answer;
