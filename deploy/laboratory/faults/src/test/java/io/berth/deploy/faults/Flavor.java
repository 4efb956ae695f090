package io.berth.deploy.faults;

import java.util.Map;

/** @param size number of VCPUs; memory and disk are proportional */
record Flavor(int size) {
    String json() {
        return "{\"id\": %d, \"name\": \"size-%d\", \"vcpus\": %d, \"memory_mb\": %d, \"root_gb\": %d}"
                .formatted(size, size, size, 512 * size, size);
    }

    /** Returns the allocations of an instance of this flavor on its host. */
    Map<String, Long> amounts() {
        return Map.of("VCPU", (long) size, "MEMORY_MB", 512L * size, "DISK_GB", (long) size);
    }
}
