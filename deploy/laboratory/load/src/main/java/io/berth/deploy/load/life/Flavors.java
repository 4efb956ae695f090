package io.berth.deploy.load.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * Draws the flavors of a cloud. Their sizes are drawn alternately from Azure's and Huawei's distributions, so that a
 * random flavor has the published distribution of sizes. Assumed, because there is no source: root disks, which make
 * all flavors different; one flavor in ten requires a trait, and one in twenty has two NUMA nodes.
 */
public final class Flavors {
    /** The smallest root disk. Two flavors, one of each cloud, have the same root disk. */
    private static final int ROOT_GB_MIN = 8;
    private static final int TRAIT_EVERY = 10;
    private static final int NUMA_EVERY = 20;
    private static final String NUMA_NODES = "2";
    /** The largest flavor with two NUMA nodes, so that each half fits into a NUMA node of a host. */
    private static final int NUMA_VCPUS_MAX = 16;
    private static final int NUMA_MEMORY_MB_MAX = 65_536;

    private Flavors() {}

    /**
     * Draws flavors; the same seed gives the same flavors.
     *
     * @param trait returns the trait that the n-th of the flavors with a required trait requires, from 0
     */
    public static List<Flavor> draw(int count, long seed, IntFunction<String> trait) {
        var random = new SplittableRandom(seed);
        List<Flavor> flavors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Cloud cloud = i % 2 == 0 ? Cloud.AZURE : Cloud.HUAWEI;
            // The position within each ten changes, because a fixed position would always have the same cloud.
            int ten = i / TRAIT_EVERY;
            int twenty = i / NUMA_EVERY;
            Map<String, String> extraSpecs = Map.of();
            VmSize size = cloud.size(random);
            if (i % TRAIT_EVERY == ten % TRAIT_EVERY) {
                extraSpecs = Map.of("trait:" + trait.apply(ten), "required");
            } else if (i % NUMA_EVERY == NUMA_EVERY - 1 - twenty % NUMA_EVERY) {
                extraSpecs = Map.of("hw:numa_nodes", NUMA_NODES);
                size = ofTwoNodes(cloud, random);
            }
            flavors.add(new Flavor(i, cloud, size, ROOT_GB_MIN + i / 2, extraSpecs));
        }
        return List.copyOf(flavors);
    }

    private static VmSize ofTwoNodes(Cloud cloud, RandomGenerator random) {
        while (true) {
            VmSize size = cloud.size(random);
            if (size.vcpus() % 2 == 0 && size.vcpus() <= NUMA_VCPUS_MAX && size.memoryMb() % 2 == 0
                    && size.memoryMb() <= NUMA_MEMORY_MB_MAX) {
                return size;
            }
        }
    }
}
