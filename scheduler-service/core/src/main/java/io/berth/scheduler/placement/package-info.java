/**
 * The scheduler's client of placement. {@link io.berth.scheduler.placement.PlacementClient} is the entry point; the
 * result of a call is a sealed type, never an exception. This package must not know filters, weighers or the host
 * registry, nor how {@code http}, {@code feed} and {@code inflight} below implement it.
 */
package io.berth.scheduler.placement;
