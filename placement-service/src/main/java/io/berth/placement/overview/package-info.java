/**
 * The fleet for operators: all trees in columns, and one tree with its details. From the fleet, proven fresh.
 *
 * <p>Start at {@link io.berth.placement.overview.OverviewEndpoint}.
 */
package io.berth.placement.overview;
