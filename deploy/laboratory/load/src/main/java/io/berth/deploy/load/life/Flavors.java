package io.berth.deploy.load.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * Draws the flavors of an OpenStack cloud. The sizes are drawn alternately from Azure's and Huawei's distributions, so
 * that a random flavor has the published distribution of sizes. Assumed, because there is no source: root disks, which
 * make all flavors different; one flavor in ten requires a trait, and about one in twenty has two NUMA nodes, for which
 * only sizes are drawn that fit two nodes.
 */
public final class Flavors {
    /**
     * The root disk in GB of the first two flavors, one of each cloud. Each further pair has disks that are 1 GB
     * larger.
     */
    private static final int ROOT_GB_MIN = 8;
    private static final int FLAVORS_PER_TRAIT = 10;
    private static final int FLAVORS_PER_NUMA = 20;
    private static final String NUMA_NODES = "2";
    /** The most vCPUs of a flavor with two NUMA nodes, so that each half fits into a NUMA node of a host. */
    private static final int NUMA_VCPUS_MAX = 16;
    /** The most memory of a flavor with two NUMA nodes, for the same reason. */
    private static final int NUMA_MEMORY_MB_MAX = 65_536;

    private Flavors() {}

    /**
     * Draws {@code count} flavors. The same seed gives the same flavors.
     *
     * @param trait returns the required trait of the n-th flavor that requires a trait, n from 0
     */
    public static List<Flavor> draw(int count, long seed, IntFunction<String> trait) {
        var random = new SplittableRandom(seed);
        List<Flavor> flavors = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Cloud cloud = i % 2 == 0 ? Cloud.AZURE : Cloud.HUAWEI;
            // The position in each group of ten changes: a fixed position would always be a flavor of the same cloud.
            int groupOfTen = i / FLAVORS_PER_TRAIT;
            int groupOfTwenty = i / FLAVORS_PER_NUMA;
            Map<String, String> extraSpecs = Map.of();
            VmSize size = cloud.drawSize(random);
            if (i % FLAVORS_PER_TRAIT == groupOfTen % FLAVORS_PER_TRAIT) {
                extraSpecs = Map.of("trait:" + trait.apply(groupOfTen), "required");
            } else if (i % FLAVORS_PER_NUMA == FLAVORS_PER_NUMA - 1 - groupOfTwenty % FLAVORS_PER_NUMA) {
                extraSpecs = Map.of("hw:numa_nodes", NUMA_NODES);
                size = drawForTwoNodes(cloud, random);
            }
            flavors.add(new Flavor(i, cloud, size, ROOT_GB_MIN + i / 2, extraSpecs));
        }
        return List.copyOf(flavors);
    }

    private static VmSize drawForTwoNodes(Cloud cloud, RandomGenerator random) {
        while (true) {
            VmSize size = cloud.drawSize(random);
            if (size.vcpus() % 2 == 0 && size.vcpus() <= NUMA_VCPUS_MAX && size.memoryMb() % 2 == 0
                    && size.memoryMb() <= NUMA_MEMORY_MB_MAX) {
                return size;
            }
        }
    }
}
