/**
 * The routes with which operators look at the fleet. {@link io.berth.placement.overview.OverviewEndpoint} returns all
 * trees in columnar form (one list for each attribute, with one element for each tree), or one tree with its details.
 * {@link io.berth.placement.overview.ReplicaEndpoint} names the replica that responds, and {@link
 * io.berth.placement.overview.ChangesEndpoint} lists operators' changes. The scheduler's console sends requests to
 * these routes. No other package uses this one.
 */
package io.berth.placement.overview;
