package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The complete inventories that a reshape gives a provider.
 *
 * @param generation of the provider, as the client read it
 * @param inventories by resource class, in the order given
 */
public record InventoryClaim(UUID provider, long generation, Map<String, Inventory> inventories) {
    public InventoryClaim {
        Objects.requireNonNull(provider, "provider");
        inventories = Collections.unmodifiableMap(new LinkedHashMap<>(inventories));
    }
}
