package io.berth.placement.inventory;

import java.util.List;

/** What came of a change of a provider's inventories. */
sealed interface InventoryChange {
    /** @param generation of the provider, after the change */
    record Done(int generation) implements InventoryChange {}

    record ProviderGone() implements InventoryChange {}

    /** Somebody else wrote first. */
    record GenerationConflict() implements InventoryChange {}

    /** Of these classes something is allocated, so their inventories stay. */
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
