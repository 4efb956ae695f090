/**
 * The route that explains why a query has its allocation candidates, or none.
 *
 * <p>Entry point: {@link io.berth.placement.explain.CandidatesExplanationEndpoint}. This package parses the parameters;
 * the package {@code candidate.explanation} computes the explanation without a clock, a database or HTTP. No other
 * package uses this one.
 */
package io.berth.placement.explain;
