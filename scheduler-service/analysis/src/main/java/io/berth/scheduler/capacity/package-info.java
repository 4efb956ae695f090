/**
 * Counts how many more instances of a request fit, and what prevents a further instance.
 * {@link io.berth.scheduler.capacity.CapacityCounting} counts on a snapshot with the engine's filters and rules, as if
 * instances were placed one after the other, each by a separate request.
 * {@link io.berth.scheduler.capacity.CapacityEndpoint} returns such counts, and
 * {@link io.berth.scheduler.capacity.Watches} repeats them for metrics. The packages {@code scenario} and {@code
 * planning} also count, as a part of their analyses. This package claims nothing.
 */
package io.berth.scheduler.capacity;
