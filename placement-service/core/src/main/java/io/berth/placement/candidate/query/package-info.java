/**
 * Parses queries for allocation candidates: a query string, by the rules of its microversion, becomes a {@link
 * io.berth.placement.candidate.query.CandidateQuery}.
 *
 * <p>Entry point: {@link io.berth.placement.candidate.query.CandidateQueryParser}, whose results {@link
 * io.berth.placement.candidate.query.ParsedQueryCache} caches. This package does not use the fleet, so it does not
 * check whether resource classes and traits exist. All other packages below {@code candidate} use this one, which uses
 * none of the others.
 */
package io.berth.placement.candidate.query;
