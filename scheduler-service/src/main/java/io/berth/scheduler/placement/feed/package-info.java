/**
 * Placement's answers, read and kept: {@link io.berth.scheduler.placement.feed.CandidatesFeed} says who waits for which
 * answer and what is held of it, the parsers make it of JSON. Asks nobody itself: see {@code http}.
 */
package io.berth.scheduler.placement.feed;
