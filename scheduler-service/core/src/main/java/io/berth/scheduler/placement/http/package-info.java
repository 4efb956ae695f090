/**
 * Calls placement over HTTP. {@link io.berth.scheduler.placement.http.HttpPlacementClient} makes the queries and claims
 * of a decision and implements {@link io.berth.scheduler.placement.PlacementClient}.
 * {@link io.berth.scheduler.placement.http.ResourceProviders} reads and writes providers for {@code placementsync} and
 * {@code fleet}; {@link io.berth.scheduler.placement.http.CandidatesExplanations} queries why placement offers no
 * candidates. All requests go through {@link io.berth.scheduler.placement.http.PlacementHttp}, which limits their
 * number and time.
 */
package io.berth.scheduler.placement.http;
