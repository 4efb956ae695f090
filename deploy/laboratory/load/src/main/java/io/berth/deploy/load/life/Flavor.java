package io.berth.deploy.load.life;

import java.util.Map;

/**
 * What a machine is made by.
 *
 * @param cloud whose size it has, and whose lifetimes
 * @param extraSpecs as nova's flavors have them; empty for most
 */
public record Flavor(int number, Cloud cloud, VmSize size, int rootGb, Map<String, String> extraSpecs) {
    public Flavor {
        extraSpecs = Map.copyOf(extraSpecs);
    }

    /** By resource class, as a host gives it. */
    public Map<String, Integer> amounts() {
        return Map.of("VCPU", size.vcpus(), "MEMORY_MB", size.memoryMb(), "DISK_GB", rootGb);
    }
}
