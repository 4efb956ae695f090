/**
 * The HTTP routes for placement requests, moves and records: reads request bodies, calls {@code selection} and
 * {@code move}, renders responses. {@link io.berth.scheduler.api.DestinationsEndpoint} selects and claims hosts,
 * {@link io.berth.scheduler.api.MovesEndpoint} moves instances, {@link io.berth.scheduler.api.DecisionsEndpoint}
 * returns decision records. Other packages use its readers of bodies and parameters for their own routes.
 */
package io.berth.scheduler.api;
