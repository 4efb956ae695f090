/**
 * Searches the fleet for the providers that could serve a query. Claims nothing.
 *
 * <p>The names of a {@link io.berth.placement.candidate.query.CandidateQuery} become ids of one view ({@link
 * io.berth.placement.candidate.search.ResolvedQuery}), and {@link io.berth.placement.candidate.search.CandidateSearch}
 * finds one candidate after the other. {@link io.berth.placement.candidate.search.TreeProbe} decides whether one tree
 * has a candidate, and {@link io.berth.placement.candidate.search.TreeFill} counts how often a query could be claimed
 * in one tree. The packages {@code candidate.response}, {@code candidate.explanation} and {@code candidate.scenario}
 * use this one. This package uses no clock, no database, and no random numbers but those of its caller.
 */
package io.berth.placement.candidate.search;
