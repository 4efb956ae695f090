/**
 * Immutable collections whose changed copy is cheap, and which share what did not change:
 * {@link io.berth.placement.fleet.index.SnapshotMap}, and for sets of trees
 * {@link io.berth.placement.fleet.index.SlotIndex}. Must not know what a provider is.
 */
package io.berth.placement.fleet.index;
