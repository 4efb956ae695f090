/**
 * Serves the scheduler's own routes: endpoints, the reading of their bodies, and the responses to clients.
 * {@link io.berth.scheduler.api.DestinationsEndpoint} selects and claims hosts,
 * {@link io.berth.scheduler.api.MovesEndpoint} moves instances by the same flow;
 * {@link io.berth.scheduler.api.DecisionsEndpoint} returns recorded decisions. The package {@code selection} decides
 * and claims.
 */
package io.berth.scheduler.api;
