/**
 * Placement as the scheduler sees it, over its public API alone. {@link io.berth.scheduler.placement.PlacementClient}
 * is the entry point; what a call can come to is a sealed result, never an exception. Must not know filters,
 * weighers or the host registry.
 */
package io.berth.scheduler.placement;
