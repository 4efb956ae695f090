/**
 * The scheduler's client of placement. {@link io.berth.scheduler.placement.PlacementClient} is the entry point for all
 * packages that query or write placement. A call does not fail because of placement or the network; the result of most
 * calls is a sealed type that has such a failure as a case. This package must not know filters, weighers or the host
 * registry, nor its own subpackages {@code http}, {@code feed} and {@code inflight}, which implement the client.
 */
package io.berth.scheduler.placement;
