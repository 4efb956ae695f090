/**
 * Immutable collections of which a changed copy shares everything that is unchanged: {@link
 * io.berth.placement.fleet.index.SnapshotMap}, and {@link io.berth.placement.fleet.index.SlotIndex} for sets of trees.
 * The package {@code fleet} builds its views from these collections. This package must not depend on types of the
 * fleet.
 */
package io.berth.placement.fleet.index;
