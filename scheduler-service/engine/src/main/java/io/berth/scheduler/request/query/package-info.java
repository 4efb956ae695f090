/**
 * Builds the query to placement. {@link io.berth.scheduler.request.query.PlacementRequests} extracts the demands of a
 * request; after prefilters have changed them, {@link io.berth.scheduler.request.query.QueryConstruction} renders the
 * query string. All classes are pure; the package knows no hosts except those that a request names.
 */
package io.berth.scheduler.request.query;
