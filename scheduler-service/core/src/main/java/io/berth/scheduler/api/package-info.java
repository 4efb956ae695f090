/**
 * The scheduler's own routes: endpoints, what their bodies say, and what callers are told.
 * {@link io.berth.scheduler.api.DestinationsEndpoint} selects and claims hosts,
 * {@link io.berth.scheduler.api.MovesEndpoint} moves instances by the same flow; decisions can be read again for a
 * while. Nothing is decided or claimed here: that is {@code selection}'s.
 */
package io.berth.scheduler.api;
