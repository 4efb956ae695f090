package io.berth.deploy.load.fleet;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A resource provider to be made.
 *
 * @param parent null for a root
 * @param inventories by resource class
 */
public record ProviderSpec(
        UUID uuid,
        String name,
        UUID parent,
        Map<String, Stock> inventories,
        List<String> traits,
        List<UUID> aggregates) {
    public ProviderSpec {
        inventories = Map.copyOf(inventories);
        traits = List.copyOf(traits);
        aggregates = List.copyOf(aggregates);
    }

    /**
     * An inventory.
     *
     * @param allocationRatio at least 1.0
     */
    public record Stock(int total, int reserved, double allocationRatio) {
        public static Stock of(int total) {
            return new Stock(total, 0, 1.0);
        }

        /** Returns what consumers may hold in total. Source: the Placement API's inventories. */
        public long capacity() {
            return (long) ((total - reserved) * allocationRatio);
        }
    }
}
