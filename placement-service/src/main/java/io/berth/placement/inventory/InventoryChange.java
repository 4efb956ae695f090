package io.berth.placement.inventory;

import java.util.List;

/** The result of changing a provider's inventories. */
sealed interface InventoryChange {
    /**
     * Committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements InventoryChange {}

    record ProviderGone() implements InventoryChange {}

    /** The provider's generation changed meanwhile. */
    record GenerationConflict() implements InventoryChange {}

    /** Inventories of these classes have allocations and cannot be removed. */
    record InUse(List<Integer> classIds) implements InventoryChange {
        public InUse {
            classIds = List.copyOf(classIds);
        }
    }

    record NoInventory() implements InventoryChange {}

    record AlreadyThere() implements InventoryChange {}

    /** A resource class was deleted meanwhile. */
    record ResourceClassGone() implements InventoryChange {}
}
