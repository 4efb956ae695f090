/**
 * The routes of allocation candidates, and the rendering of their responses.
 *
 * <p>Entry point: {@link io.berth.placement.candidate.response.CandidatesEndpoint}. A search ({@link
 * io.berth.placement.candidate.response.CandidateSearches}) passes its candidates to {@link
 * io.berth.placement.candidate.response.CandidatesResponse}, which writes JSON bytes. {@link
 * io.berth.placement.candidate.response.CandidateReferencesEndpoint} returns the same candidates as references to
 * trees, written by {@link io.berth.placement.candidate.response.CandidateReferences}; a client caches the content of
 * trees, or fetches it from {@link io.berth.placement.candidate.response.ProviderTreesEndpoint}. The service stores
 * nothing about its clients. The package {@code candidate.scenario} uses the writers.
 */
package io.berth.placement.candidate.response;
