/**
 * The routes with which operators look at the fleet: all trees as columns, one tree with its details, the replica that
 * responds, and the history of operators' changes.
 *
 * <p>Entry point: {@link io.berth.placement.overview.OverviewEndpoint}. The scheduler's console sends requests to these
 * routes. No other package uses this one.
 */
package io.berth.placement.overview;
