/** What it costs to read placement's answers. Start with {@link ParsingBenchmark}. */
package io.berth.scheduler.placement.feed;
