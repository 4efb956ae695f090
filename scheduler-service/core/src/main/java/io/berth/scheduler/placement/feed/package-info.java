/**
 * Placement's answers: {@link io.berth.scheduler.placement.feed.TreeExchange} makes candidates of references to provider
 * trees, with {@link io.berth.scheduler.placement.feed.TreeTable} and what must be asked for besides;
 * {@link io.berth.scheduler.placement.feed.CandidatesFeed} says who waits for which answer. Asks nobody itself: see
 * {@code http}.
 */
package io.berth.scheduler.placement.feed;
