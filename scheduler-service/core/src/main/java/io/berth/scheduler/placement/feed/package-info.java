/**
 * Processes placement's responses: {@link io.berth.scheduler.placement.feed.TreeExchange} makes candidates of
 * references to provider trees, from {@link io.berth.scheduler.placement.feed.TreeTable} and a second query for
 * missing trees; {@link io.berth.scheduler.placement.feed.CandidatesFeed} decides which callers share a response.
 * This package sends nothing itself: see {@code http}.
 */
package io.berth.scheduler.placement.feed;
