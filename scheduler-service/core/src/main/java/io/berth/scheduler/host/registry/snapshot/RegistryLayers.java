package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.registry.RecordCollection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Registries that are merged into one, such as those of nova's cells and Berth's own. If several layers have a record
 * with the same uuid, the record of the first of these layers counts.
 *
 * @param asOf time of the merged registry, by the clock with which heartbeats are compared
 */
public record RegistryLayers(List<Layer> layers, Instant asOf) {
    public RegistryLayers {
        layers = List.copyOf(layers);
    }

    /**
     * One layer.
     *
     * @param name identifies the layer in successive merges, so that a merge can find the layer's former registry
     * @param counted collections of the layer that are merged; its other collections are ignored
     */
    public record Layer(Object name, RegistrySnapshot registry, Set<RecordCollection> counted) {
        public Layer {
            counted = Set.copyOf(counted);
        }

        boolean counts(RecordCollection collection) {
            return counted.contains(collection);
        }
    }

    /** Returns these layers with one more layer at the end, whose records count only if no other layer has them. */
    RegistryLayers over(Layer lowest) {
        List<Layer> all = new ArrayList<>(layers);
        all.add(lowest);
        return new RegistryLayers(all, asOf);
    }
}
