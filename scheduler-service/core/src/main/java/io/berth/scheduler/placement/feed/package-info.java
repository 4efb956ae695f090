/**
 * Converts placement's responses into candidates. {@link io.berth.scheduler.placement.feed.TreeExchange} resolves
 * responses of Berth's Placement, which refer to provider trees, with
 * {@link io.berth.scheduler.placement.feed.TreeTable} and a second query for missing trees.
 * {@link io.berth.scheduler.placement.feed.CandidatesFeed} lets callers with the same query share a response.
 * {@code placement.http} sends the queries and uses this package, as does {@code job}, which evaluates scenarios. This
 * package does no I/O.
 */
package io.berth.scheduler.placement.feed;
