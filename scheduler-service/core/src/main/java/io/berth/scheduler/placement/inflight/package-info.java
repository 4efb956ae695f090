/**
 * Keeps requests that share a response from all choosing the same host:
 * {@link io.berth.scheduler.placement.inflight.InFlightCandidates} is the entry point. This package sends nothing
 * itself: see {@code http}.
 */
package io.berth.scheduler.placement.inflight;
