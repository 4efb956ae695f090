/**
 * Starts the service that implements the Placement API: {@link io.berth.placement.PlacementMain}. The packages below
 * are by feature; docs/ARCHITECTURE.md lists them.
 */
package io.berth.placement;
