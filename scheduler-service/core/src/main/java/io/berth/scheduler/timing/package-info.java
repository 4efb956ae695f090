/**
 * Measures durations. {@link io.berth.scheduler.timing.TimedClasses} sums the times of each filter, weigher and
 * prefilter in metrics; {@link io.berth.scheduler.timing.Phases} measures the phases of one request, for the header
 * {@code Server-Timing} and the decision record.
 */
package io.berth.scheduler.timing;
