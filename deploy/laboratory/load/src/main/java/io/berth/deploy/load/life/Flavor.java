package io.berth.deploy.load.life;

import java.util.Map;

/**
 * The flavor of a virtual machine.
 *
 * @param number the number of the flavor, from 0
 * @param cloud the cloud from whose distributions the size was drawn, and from which the lifetimes of machines of this
 *         flavor are drawn
 * @param extraSpecs nova's extra specs; empty for most flavors
 */
public record Flavor(int number, Cloud cloud, VmSize size, int rootGb, Map<String, String> extraSpecs) {
    public Flavor {
        extraSpecs = Map.copyOf(extraSpecs);
    }

    /** Returns the units that a machine of this flavor allocates, by resource class. */
    public Map<String, Integer> amounts() {
        return Map.of("VCPU", size.vcpus(), "MEMORY_MB", size.memoryMb(), "DISK_GB", rootGb);
    }
}
