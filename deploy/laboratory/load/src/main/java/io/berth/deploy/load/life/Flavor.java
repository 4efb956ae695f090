package io.berth.deploy.load.life;

import java.util.Map;

/**
 * The flavor of a machine.
 *
 * @param cloud whose size it has, and whose lifetimes
 * @param extraSpecs in nova's form; empty for most
 */
public record Flavor(int number, Cloud cloud, VmSize size, int rootGb, Map<String, String> extraSpecs) {
    public Flavor {
        extraSpecs = Map.copyOf(extraSpecs);
    }

    /** Returns the amounts by resource class, as a host provides them. */
    public Map<String, Integer> amounts() {
        return Map.of("VCPU", size.vcpus(), "MEMORY_MB", size.memoryMb(), "DISK_GB", rootGb);
    }
}
