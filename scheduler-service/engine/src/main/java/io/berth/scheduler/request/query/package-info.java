/**
 * Turns a request into the query string for placement: {@link io.berth.scheduler.request.query.QueryConstruction}
 * renders a {@link io.berth.scheduler.request.demand.PlacementRequest}, including the additions of prefilters, as text.
 * Pure; uses no hosts except those that a request names.
 */
package io.berth.scheduler.request.query;
