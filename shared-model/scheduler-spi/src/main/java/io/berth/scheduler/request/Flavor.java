package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The flavor of a requested instance.
 *
 * @param id database id, which filters compare with the flavor ids of running instances; null if unknown
 * @param name null if unknown
 * @param flavorid id in nova's API; null if unknown
 * @param vcpus number of virtual CPUs
 * @param memoryMb memory in MiB
 * @param rootGb root disk in GiB
 * @param ephemeralGb ephemeral disk in GiB
 * @param swapMb swap disk in MiB
 * @param extraSpecs values by key, in the order of the request
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
