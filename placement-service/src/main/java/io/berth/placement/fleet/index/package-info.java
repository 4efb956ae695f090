/**
 * Immutable collections of which a changed copy shares everything that is unchanged: {@link
 * io.berth.placement.fleet.index.SnapshotMap}, and {@link io.berth.placement.fleet.index.SlotIndex} for sets of trees.
 * The package {@code fleet} builds its views of them. They must not depend on what a provider is.
 */
package io.berth.placement.fleet.index;
