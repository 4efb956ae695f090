/**
 * Allocation candidates: which providers could serve a request, without anything being claimed.
 *
 * <p>Read {@link io.berth.placement.candidate.CandidatesEndpoint} first. A query string becomes a
 * {@link io.berth.placement.candidate.CandidateQuery}, its names become ids of one view
 * ({@link io.berth.placement.candidate.ResolvedQuery}), {@link io.berth.placement.candidate.CandidateSearch} pushes one
 * candidate after the other into {@link io.berth.placement.candidate.CandidatesAnswer}, which writes JSON bytes. All
 * but the endpoints are plain values and functions: no clock, no database, no randomness that is not passed in.
 *
 * <p>{@link io.berth.placement.candidate.CandidatesDeltaEndpoint} tells the same as what changed since the answer that
 * a client holds: {@link io.berth.placement.candidate.AnswerDelta} takes the place of {@code CandidatesAnswer} there,
 * and {@link io.berth.placement.candidate.HeldAnswerCache} remembers what was told.
 */
package io.berth.placement.candidate;
