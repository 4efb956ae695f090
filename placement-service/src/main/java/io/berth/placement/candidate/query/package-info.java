/**
 * What is asked for allocation candidates: a query string, read as its microversion allows, becomes a
 * {@link io.berth.placement.candidate.query.CandidateQuery}.
 *
 * <p>Read {@link io.berth.placement.candidate.query.CandidateQueryParser} first;
 * {@link io.berth.placement.candidate.query.ParsedQueryCache} spares it what is asked again. Knows no fleet: names are
 * names here. Depends on neither {@code candidate.search} nor {@code candidate.answer}.
 */
package io.berth.placement.candidate.query;
