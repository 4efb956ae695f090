/** What it costs to read placement's answers. Start with {@link io.berth.scheduler.placement.ParsingBenchmark}. */
package io.berth.scheduler.placement;
