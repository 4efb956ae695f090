/**
 * The scheduler's own routes. {@link io.berth.scheduler.api.DestinationsEndpoint} selects and claims hosts,
 * {@link io.berth.scheduler.api.Destinations} is its flow from request to claims and knows the drivers;
 * {@link io.berth.scheduler.api.MovesEndpoint} moves instances by the same flow; decisions can be read again for a
 * while. Everything decided here is decided by the pure packages; this one only asks, waits and claims.
 */
package io.berth.scheduler.api;
