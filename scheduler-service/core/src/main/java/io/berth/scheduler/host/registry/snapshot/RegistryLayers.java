package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.Collection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Registries that count as one: of records with the same uuid that of the first.
 *
 * @param asOf by the clock that heartbeats are compared with
 */
public record RegistryLayers(List<Layer> layers, Instant asOf) {
    public RegistryLayers {
        layers = List.copyOf(layers);
    }

    /**
     * One of them, and the collections of it that count.
     *
     * @param name the same for the same registry at another moment, in the same order among the others
     */
    public record Layer(Object name, RegistrySnapshot registry, Set<Collection> counted) {
        public Layer {
            counted = Set.copyOf(counted);
        }

        boolean counts(Collection collection) {
            return counted.contains(collection);
        }
    }

    /** With one below all others. */
    RegistryLayers over(Layer lowest) {
        List<Layer> all = new ArrayList<>(layers);
        all.add(lowest);
        return new RegistryLayers(all, asOf);
    }
}
