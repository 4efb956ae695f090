package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.Collection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Registries that are read as one: if several have a record with the same uuid, the record of the first layer counts.
 *
 * @param asOf by the clock that heartbeats are compared with
 */
public record RegistryLayers(List<Layer> layers, Instant asOf) {
    public RegistryLayers {
        layers = List.copyOf(layers);
    }

    /**
     * One layer, and the collections of it that count.
     *
     * @param name identifies the same registry at different times; layers keep their order
     */
    public record Layer(Object name, RegistrySnapshot registry, Set<Collection> counted) {
        public Layer {
            counted = Set.copyOf(counted);
        }

        boolean counts(Collection collection) {
            return counted.contains(collection);
        }
    }

    /** Adds a layer below all others. */
    RegistryLayers over(Layer lowest) {
        List<Layer> all = new ArrayList<>(layers);
        all.add(lowest);
        return new RegistryLayers(all, asOf);
    }
}
