/**
 * Calls placement over HTTP. {@link io.berth.scheduler.placement.http.HttpPlacementClient} makes the queries and claims
 * of a decision and implements {@link io.berth.scheduler.placement.PlacementClient}.
 * {@link io.berth.scheduler.placement.http.ResourceProviders} reads and writes providers for {@code placementsync} and
 * {@code fleet}. All requests go through {@link io.berth.scheduler.placement.http.PlacementHttp}.
 */
package io.berth.scheduler.placement.http;
