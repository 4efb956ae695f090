package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The flavor of a requested instance.
 *
 * @param id database id, which is compared with the flavor ids of running instances
 * @param memoryMb MiB
 * @param rootGb GiB
 * @param ephemeralGb GiB
 * @param swapMb MiB
 * @param extraSpecs in the order of the request
 */
public record Flavor(
        @Nullable Long id,
        @Nullable String name,
        @Nullable String flavorid,
        long vcpus,
        long memoryMb,
        long rootGb,
        long ephemeralGb,
        long swapMb,
        Map<String, String> extraSpecs) {
    public Flavor {
        extraSpecs = Collections.unmodifiableMap(new LinkedHashMap<>(extraSpecs));
    }

    /** Returns the size of all disks, including swap, in MiB. */
    public long diskMb() {
        return 1024 * (rootGb + ephemeralGb) + swapMb;
    }
}
