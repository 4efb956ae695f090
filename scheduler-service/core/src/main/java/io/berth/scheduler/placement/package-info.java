/**
 * Placement as the scheduler sees it. {@link io.berth.scheduler.placement.PlacementClient} is the entry point; what a call
 * can come to is a sealed result, never an exception. Must not know filters, weighers or the host registry, nor how
 * {@code http}, {@code feed} and {@code racing} below do what it says.
 */
package io.berth.scheduler.placement;
