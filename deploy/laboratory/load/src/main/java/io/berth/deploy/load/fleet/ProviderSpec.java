package io.berth.deploy.load.fleet;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A resource provider to be created.
 *
 * @param parent the parent's uuid; null for a root
 * @param inventories by name of the resource class
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
     * An inventory, in units of its resource class.
     *
     * @param allocationRatio at least 1.0
     */
    public record Stock(int total, int reserved, double allocationRatio) {
        public static Stock of(int total) {
            return new Stock(total, 0, 1.0);
        }

        /** Returns the units that all consumers together may hold, as placement computes it. */
        public long capacity() {
            return (long) ((total - reserved) * allocationRatio);
        }
    }
}
