package io.berth.scheduler.request.query;

/**
 * A query to {@code GET /allocation_candidates}.
 *
 * @param queryString sorted and URL-encoded, without the question mark
 * @param pinningRequested whether a second query ({@link QueryConstruction#buildFallback}), with VCPU instead of PCPU,
 *         may find hosts that do not report PCPU
 */
public record PlacementQuery(String queryString, boolean pinningRequested) {}
