package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The data of a flavor and an image from which the NUMA topology, the PCI requests and the query to placement are
 * derived.
 *
 * @param extraSpecs the flavor's extra specs in the flavor's order, which matters if several request groups state the
 *         trait HW_CPU_HYPERTHREADING: the first of them decides the thread policy
 * @param imageProperties values by the property's current name; older names are already replaced. {@code
 *         traits_required} is a collection of strings, {@code hw_numa_cpus} a list of {@link CpuSet}, and {@code
 *         hw_numa_mem} a list of numbers in MiB; of any other value, only the text is used ({@link #image}). A null
 *         value means the same as an absent property
 * @param vcpus number of virtual CPUs of the flavor
 * @param memoryMb memory of the flavor in MiB
 */
public record FlavorAndImage(
        Map<String, String> extraSpecs, Map<String, ?> imageProperties, int vcpus, long memoryMb) {
    /**
     * Maximum number of NUMA cells of an instance, far more than any machine has. A flavor or image with more cells is
     * refused.
     */
    public static final int CELLS_MAX = 1024;

    public FlavorAndImage {
        // Map.copyOf would not keep the order.
        extraSpecs = Collections.unmodifiableMap(new LinkedHashMap<>(extraSpecs));
        imageProperties = Collections.unmodifiableMap(new LinkedHashMap<>(imageProperties));
    }

    /** Returns the value of an extra spec of the flavor; null if it is absent or, as in nova, empty. */
    public @Nullable String flavor(String key) {
        String text = extraSpecs.get(key);
        return text == null || text.isEmpty() ? null : text;
    }

    /** Returns the value of a property of the image, of any type, as text; null if it is absent, null or empty. */
    public @Nullable String image(String name) {
        Object value = imageProperties.get(name);
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }
}
