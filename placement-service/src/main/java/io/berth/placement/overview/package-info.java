/**
 * The fleet for operators: all trees in columns, and one tree with its details, both from a view that is proven fresh.
 * Also the replica that responds, and the history of operators' changes.
 *
 * <p>Start at {@link io.berth.placement.overview.OverviewEndpoint}.
 */
package io.berth.placement.overview;
