/** Benchmarks of parsing placement's responses, in upstream's format and in Berth's. */
package io.berth.scheduler.placement.feed;
