/**
 * Which providers could serve a query, without anything being claimed.
 *
 * <p>The names of a {@link io.berth.placement.candidate.query.CandidateQuery} become ids of one view
 * ({@link io.berth.placement.candidate.search.ResolvedQuery}), and
 * {@link io.berth.placement.candidate.search.CandidateSearch} hands on one candidate after the other;
 * {@link io.berth.placement.candidate.search.TreeProbe} asks about one tree. Plain values and functions:
 * no clock, no database, no randomness that is not passed in. Does not know how an answer is written
 * ({@code candidate.answer}), nor how it is explained ({@code candidate.explanation}).
 */
package io.berth.placement.candidate.search;
