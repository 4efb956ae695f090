/**
 * Starts the service that implements the Placement API: {@link io.berth.placement.PlacementMain}. The packages below
 * are by feature, in two modules; docs/ARCHITECTURE.md lists them.
 */
package io.berth.placement;
