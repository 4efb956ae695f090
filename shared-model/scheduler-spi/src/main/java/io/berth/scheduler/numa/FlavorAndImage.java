package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The part of a flavor and an image that NUMA and PCI demands and the query to placement are derived from.
 *
 * @param extraSpecs of the flavor; if several keys have the same meaning, the first in the map's order wins
 * @param imageProperties canonical names and types: Boolean, Integer, text ({@code String}), {@code traits_required} a
 *         collection of text, {@code hw_numa_cpus} a list of {@link CpuSet} and {@code hw_numa_mem} a list of numbers
 *         in MiB; names that are absent or null are not set
 * @param vcpus of the flavor
 * @param memoryMb of the flavor, MiB
 */
public record FlavorAndImage(
        Map<String, String> extraSpecs, Map<String, ?> imageProperties, int vcpus, long memoryMb) {
    /**
     * The most NUMA cells of an instance, far more than any machine has. Readers of a hostile flavor or image stop
     * after one cell more.
     */
    public static final int CELLS_MAX = 1024;

    public FlavorAndImage {
        // Does not use Map.copyOf, which forgets the order.
        extraSpecs = Collections.unmodifiableMap(new LinkedHashMap<>(extraSpecs));
        imageProperties = Collections.unmodifiableMap(new LinkedHashMap<>(imageProperties));
    }

    /** Returns the value of an extra spec; null if it is absent or empty, which nova treats alike. */
    public @Nullable String flavor(String key) {
        String text = extraSpecs.get(key);
        return text == null || text.isEmpty() ? null : text;
    }

    /** Returns the value of an image property as text, whatever its type; null if it is absent or empty. */
    public @Nullable String image(String name) {
        Object value = imageProperties.get(name);
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }
}
