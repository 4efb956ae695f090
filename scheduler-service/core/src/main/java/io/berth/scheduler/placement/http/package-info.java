/**
 * Calls placement over HTTP: {@link io.berth.scheduler.placement.http.HttpPlacementClient} makes the queries and
 * claims of a decision, {@link io.berth.scheduler.placement.http.ResourceProviders} reads and writes providers, both
 * over {@link io.berth.scheduler.placement.http.PlacementHttp}.
 */
package io.berth.scheduler.placement.http;
