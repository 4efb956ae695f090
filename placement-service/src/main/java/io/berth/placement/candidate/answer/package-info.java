/**
 * The routes of allocation candidates, and the rendering of their responses.
 *
 * <p>Entry point: {@link io.berth.placement.candidate.answer.CandidatesEndpoint}. A search ({@link
 * io.berth.placement.candidate.answer.CandidateSearches}) passes its candidates to {@link
 * io.berth.placement.candidate.answer.CandidatesAnswer}, which writes JSON bytes. {@link
 * io.berth.placement.candidate.answer.CandidateReferencesEndpoint} returns the same candidates as references to trees,
 * written by {@link io.berth.placement.candidate.answer.CandidateReferences}; a client caches the content of trees, or
 * fetches it from {@link io.berth.placement.candidate.answer.ProviderTreesEndpoint}. The service stores nothing about
 * its clients. The package {@code candidate.scenario} uses the writers.
 */
package io.berth.placement.candidate.answer;
