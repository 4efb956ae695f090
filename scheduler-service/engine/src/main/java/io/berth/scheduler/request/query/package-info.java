/**
 * From a request to the query string that placement is asked:
 * {@link io.berth.scheduler.request.query.QueryConstruction} turns a
 * {@link io.berth.scheduler.request.demand.PlacementRequest}, prefilters' wishes included, into text. Pure; knows no
 * hosts but those a request names.
 */
package io.berth.scheduler.request.query;
