/**
 * How long the enabled filters, weighers and prefilters take. {@link io.berth.scheduler.timing.TimedClasses} puts each
 * into a shell that answers as it does; the pipeline knows nothing of it.
 * {@link io.berth.scheduler.timing.Phases} says where the
 * time of one request went.
 */
package io.berth.scheduler.timing;
