/**
 * From a request to the query string that placement is asked. {@link io.berth.scheduler.request.query.PlacementRequest}
 * is the request as far as placement is concerned, prefilters' wishes included;
 * {@link io.berth.scheduler.request.query.QueryConstruction} turns it into text. Pure; knows no hosts but those a
 * request names.
 */
package io.berth.scheduler.request.query;
