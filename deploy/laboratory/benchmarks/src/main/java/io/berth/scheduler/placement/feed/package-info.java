/** Benchmarks of parsing placement's responses. Start with {@link ParsingBenchmark}. */
package io.berth.scheduler.placement.feed;
