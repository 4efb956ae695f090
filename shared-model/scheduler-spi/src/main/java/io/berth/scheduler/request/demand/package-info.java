/**
 * The demands of a request on placement, as values: {@link io.berth.scheduler.request.demand.PlacementRequest}, which
 * prefilters change before it becomes a query, and the options that shape it. Must not depend on hosts, filters or I/O.
 */
package io.berth.scheduler.request.demand;
