/**
 * Queries for allocation candidates: a query string, parsed by the rules of its microversion, becomes a {@link
 * io.berth.placement.candidate.query.CandidateQuery}.
 *
 * <p>Read {@link io.berth.placement.candidate.query.CandidateQueryParser} first; {@link
 * io.berth.placement.candidate.query.ParsedQueryCache} caches its results. Knows no fleet: names are only text here.
 * Depends on neither {@code candidate.search} nor {@code candidate.answer}.
 */
package io.berth.placement.candidate.query;
