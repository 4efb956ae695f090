/**
 * Keeps concurrent requests of this replica from all choosing the same host, although placement returns the same
 * candidates to them: {@link io.berth.scheduler.placement.inflight.InFlightCandidates} is the entry point for
 * {@code placement.http}. This package does no I/O.
 */
package io.berth.scheduler.placement.inflight;
