package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * All inventories that a provider is to have after a reshape.
 *
 * @param generation the generation of the provider that the client read
 * @param inventories the inventories by resource class, in the order of the request
 */
public record InventoryClaim(UUID provider, long generation, Map<String, Inventory> inventories) {
    public InventoryClaim {
        Objects.requireNonNull(provider, "provider");
        inventories = Collections.unmodifiableMap(new LinkedHashMap<>(inventories));
    }
}
