/**
 * The scheduler's client of placement. {@link io.berth.scheduler.placement.PlacementClient} is the entry point for all
 * packages that query or write placement. The result of a call is a sealed type, never an exception. This package must
 * not know filters, weighers or the host registry, nor its own subpackages {@code http}, {@code feed} and
 * {@code inflight}, which implement the client.
 */
package io.berth.scheduler.placement;
