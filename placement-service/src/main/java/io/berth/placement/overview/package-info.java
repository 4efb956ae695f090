/**
 * The fleet for somebody who looks at it: all trees in columns, and one tree with all it has. From the fleet, proven fresh.
 *
 * <p>Start at {@link io.berth.placement.overview.OverviewEndpoint}.
 */
package io.berth.placement.overview;
