/**
 * Searches the providers that could serve a query, without claiming anything.
 *
 * <p>The names of a {@link io.berth.placement.candidate.query.CandidateQuery} become ids of one view ({@link
 * io.berth.placement.candidate.search.ResolvedQuery}), and {@link io.berth.placement.candidate.search.CandidateSearch}
 * emits one candidate after the other; {@link io.berth.placement.candidate.search.TreeProbe} evaluates one tree. Plain
 * values and functions: no clock, no database, no randomness that is not passed in. Does not know how a response is
 * written ({@code candidate.answer}), nor how it is explained ({@code candidate.explanation}).
 */
package io.berth.placement.candidate.search;
