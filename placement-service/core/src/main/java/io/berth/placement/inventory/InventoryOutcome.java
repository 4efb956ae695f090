package io.berth.placement.inventory;

import java.util.List;

/** The result of a change of a provider's inventories. Nothing was written unless it is {@link Done}. */
sealed interface InventoryOutcome {
    /**
     * The change was committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements InventoryOutcome {}

    /** The provider does not exist. */
    record ProviderGone() implements InventoryOutcome {}

    /** The provider no longer has the client's generation. */
    record GenerationConflict() implements InventoryOutcome {}

    /** The inventories of these classes have allocations and cannot be deleted. */
    record InUse(List<Integer> classIds) implements InventoryOutcome {
        public InUse {
            classIds = List.copyOf(classIds);
        }
    }

    /** The provider has no inventory of the class. */
    record NoInventory() implements InventoryOutcome {}

    /** The provider has an inventory of the class already. */
    record AlreadyExists() implements InventoryOutcome {}

    /** A resource class was deleted after the request was checked. */
    record ResourceClassGone() implements InventoryOutcome {}
}
