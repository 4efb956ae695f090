/**
 * Keeps concurrent requests of this replica from all choosing the same host, although placement returns the same
 * candidates to them. {@link io.berth.scheduler.placement.inflight.InFlightCandidates} is the entry point for
 * {@code placement.http}: it lets a few requests decide at a time, and subtracts the claims of the others from the
 * candidates of each. This package does no I/O.
 */
package io.berth.scheduler.placement.inflight;
