/**
 * Allocation candidates over HTTP: the endpoints, and how an answer is written.
 *
 * <p>Read {@link io.berth.placement.candidate.answer.CandidatesEndpoint} first. A search
 * ({@link io.berth.placement.candidate.answer.CandidateSearches}) pushes its candidates into
 * {@link io.berth.placement.candidate.answer.CandidatesAnswer}, which writes JSON bytes.
 * {@link io.berth.placement.candidate.answer.CandidateReferencesEndpoint} tells the same as references to trees, whose
 * content a client keeps or asks {@link io.berth.placement.candidate.answer.ProviderTreesEndpoint} for:
 * {@link io.berth.placement.candidate.answer.CandidateReferences} takes the place of {@code CandidatesAnswer} there.
 * Nothing is remembered of any client.
 */
package io.berth.placement.candidate.answer;
