package io.berth.placement.inventory;

import java.util.List;

/** The result of a change of a provider's inventories. Nothing was written unless it is {@link Done}. */
sealed interface InventoryChange {
    /**
     * The change was committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements InventoryChange {}

    /** The provider does not exist. */
    record ProviderGone() implements InventoryChange {}

    /** The provider no longer has the client's generation. */
    record GenerationConflict() implements InventoryChange {}

    /** The inventories of these classes have allocations and cannot be deleted. */
    record InUse(List<Integer> classIds) implements InventoryChange {
        public InUse {
            classIds = List.copyOf(classIds);
        }
    }

    /** The provider has no inventory of the class. */
    record NoInventory() implements InventoryChange {}

    /** The provider has an inventory of the class already. */
    record AlreadyExists() implements InventoryChange {}

    /** A resource class was deleted after the request was checked. */
    record ResourceClassGone() implements InventoryChange {}
}
