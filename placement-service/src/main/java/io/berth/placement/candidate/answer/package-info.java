/**
 * Allocation candidates over HTTP: the endpoints, and the rendering of their responses.
 *
 * <p>Read {@link io.berth.placement.candidate.answer.CandidatesEndpoint} first. A search ({@link
 * io.berth.placement.candidate.answer.CandidateSearches}) pushes its candidates into {@link
 * io.berth.placement.candidate.answer.CandidatesAnswer}, which writes JSON bytes. {@link
 * io.berth.placement.candidate.answer.CandidateReferencesEndpoint} returns the same as references to trees, whose
 * content a client caches or fetches from {@link io.berth.placement.candidate.answer.ProviderTreesEndpoint}: {@link
 * io.berth.placement.candidate.answer.CandidateReferences} takes the place of {@code CandidatesAnswer} there. No state
 * is kept for any client.
 */
package io.berth.placement.candidate.answer;
