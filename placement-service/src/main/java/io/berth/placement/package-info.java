/**
 * The process of the Placement API: {@link io.berth.placement.PlacementMain}. Everything else is in the packages below,
 * by feature.
 */
package io.berth.placement;
