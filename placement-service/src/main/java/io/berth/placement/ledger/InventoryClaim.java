package io.berth.placement.ledger;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * All inventories a provider shall have, in a reshape.
 *
 * @param generation of the provider, as the client read it
 */
public record InventoryClaim(UUID provider, long generation, List<Inventory> inventories) {
    public InventoryClaim {
        Objects.requireNonNull(provider, "provider");
        inventories = List.copyOf(inventories);
    }

    /** One resource class and its terms. */
    public record Inventory(String resourceClass, InventoryTerms terms) {
        public Inventory {
            Objects.requireNonNull(resourceClass, "resourceClass");
            Objects.requireNonNull(terms, "terms");
        }
    }
}
