/**
 * Placement over HTTP alone: {@link io.berth.scheduler.placement.http.HttpPlacementClient} for what a decision asks and
 * claims, {@link io.berth.scheduler.placement.http.ResourceProviders} for providers, both over
 * {@link io.berth.scheduler.placement.http.PlacementHttp}.
 */
package io.berth.scheduler.placement.http;
