/**
 * Allocation candidates over HTTP: the endpoints, and how an answer is written.
 *
 * <p>Read {@link io.berth.placement.candidate.answer.CandidatesEndpoint} first. A search
 * ({@link io.berth.placement.candidate.answer.CandidateSearches}) pushes its candidates into
 * {@link io.berth.placement.candidate.answer.CandidatesAnswer}, which writes JSON bytes.
 * {@link io.berth.placement.candidate.answer.CandidatesDeltaEndpoint} tells the same as what changed since the answer
 * that a client holds: {@link io.berth.placement.candidate.answer.AnswerDelta} takes the place of
 * {@code CandidatesAnswer} there, and {@link io.berth.placement.candidate.answer.HeldAnswerCache} remembers what was
 * told. {@link io.berth.placement.candidate.answer.CandidateReferencesEndpoint} tells it as references to trees, whose
 * content a client keeps or asks {@link io.berth.placement.candidate.answer.ProviderTreesEndpoint} for; nothing is
 * remembered for it.
 */
package io.berth.placement.candidate.answer;
