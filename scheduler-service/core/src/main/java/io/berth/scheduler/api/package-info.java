/**
 * The HTTP routes that place instances, move them, and return decision records. The routes parse request bodies, call
 * {@code selection} and {@code move}, and render the responses.
 *
 * <p>{@link io.berth.scheduler.api.DestinationsEndpoint} selects and claims hosts,
 * {@link io.berth.scheduler.api.MovesEndpoint} moves instances, {@link io.berth.scheduler.api.DecisionsEndpoint}
 * returns decision records. Other packages use the parsers of bodies in this package for their own routes.
 */
package io.berth.scheduler.api;
