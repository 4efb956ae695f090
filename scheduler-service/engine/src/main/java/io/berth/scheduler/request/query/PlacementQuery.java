package io.berth.scheduler.request.query;

/**
 * A query to placement.
 *
 * @param queryString sorted and url-encoded, without the question mark
 * @param pinningRequested whether a second query with VCPU instead of PCPU may find older hosts
 */
public record PlacementQuery(String queryString, boolean pinningRequested) {}
