/**
 * Values from which the query to placement is built. {@link io.berth.scheduler.request.demand.PlacementRequest} has a
 * request's demands, which prefilters may change; {@link io.berth.scheduler.request.demand.TranslationOptions} has the
 * options. The scheduler's package {@code request.query} builds the query. The package must not depend on hosts,
 * filters or I/O.
 */
package io.berth.scheduler.request.demand;
