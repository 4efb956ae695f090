/**
 * How long the enabled filters, weighers and prefilters take. {@link io.berth.scheduler.timing.TimedClasses} counts
 * what the pipeline tells of each round; {@link io.berth.scheduler.timing.Phases} says where the time of one request went.
 */
package io.berth.scheduler.timing;
