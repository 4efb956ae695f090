/**
 * Measures the time of enabled filters, weighers and prefilters. {@link io.berth.scheduler.timing.TimedClasses}
 * counts the times that the pipeline reports for each round; {@link io.berth.scheduler.timing.Phases} measures where
 * the time of one request went.
 */
package io.berth.scheduler.timing;
