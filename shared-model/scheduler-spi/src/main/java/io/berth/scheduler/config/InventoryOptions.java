package io.berth.scheduler.config;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/**
 * The options that complete the inventories that compute nodes report: nova's {@code *_allocation_ratio}, {@code
 * initial_*} and {@code reserved_host_*} options of the group DEFAULT. A value that a compute node reports takes
 * precedence over these options. The keys of the maps are resource classes.
 * <br>Source: nova {@code conf/compute.py}.
 *
 * @param ratios allocation ratio of all hosts, which overrides the ratio in placement. A class whose option is 0, the
 *         default, has no entry
 * @param initialRatios allocation ratio of an inventory that placement does not have yet and that {@code ratios} does
 *         not set
 * @param reserved amount that is reserved for each host itself: number of CPUs, MiB of memory, or GiB of disk. The
 *         option for disk is in MiB, and is rounded up
 */
public record InventoryOptions(
        Map<String, Double> ratios, Map<String, Double> initialRatios, Map<String, Long> reserved) {
    private static final int MIB_PER_GIB = 1024;

    static InventoryOptions read(OptionReader reader) {
        Map<String, Double> ratios = new HashMap<>();
        addRatio(ratios, "VCPU", reader, "cpu_allocation_ratio");
        addRatio(ratios, "MEMORY_MB", reader, "ram_allocation_ratio");
        addRatio(ratios, "DISK_GB", reader, "disk_allocation_ratio");
        long reservedDiskMb = reader.integer("reserved_host_disk_mb", 0, 0);
        return new InventoryOptions(
                Map.copyOf(ratios),
                Map.of(
                        "VCPU", reader.decimal("initial_cpu_allocation_ratio", 4.0, 0.0),
                        "MEMORY_MB", reader.decimal("initial_ram_allocation_ratio", 1.0, 0.0),
                        "DISK_GB", reader.decimal("initial_disk_allocation_ratio", 1.0, 0.0)),
                Map.of(
                        "VCPU", (long) reader.integer("reserved_host_cpus", 0, 0),
                        "MEMORY_MB", (long) reader.integer("reserved_host_memory_mb", 512, 0),
                        "DISK_GB", Math.ceilDiv(reservedDiskMb, MIB_PER_GIB)));
    }

    /** Returns the ratio that an option sets for all hosts; null if none is set. */
    public @Nullable Double allocationRatio(String resourceClass) {
        return ratios.get(resourceClass);
    }

    /** Returns the ratio of an inventory that placement does not have yet; 1.0 for a class without an option. */
    public double initialAllocationRatio(String resourceClass) {
        return initialRatios.getOrDefault(resourceClass, 1.0);
    }

    /**
     * Returns the ratio of a compute node whose ratio in placement is unknown: the reported, the configured or the
     * initial ratio, in this order.
     * <br>Source: nova {@code objects/compute_node.py} (_from_db_object).
     *
     * @param reportedRatio the ratio that the node reports; null if it reports none
     */
    public double nodeRatio(String resourceClass, @Nullable Double reportedRatio) {
        if (reportedRatio != null) {
            return reportedRatio;
        }
        Double configuredRatio = allocationRatio(resourceClass);
        return configuredRatio == null ? initialAllocationRatio(resourceClass) : configuredRatio;
    }

    /** Returns the reserved amount in the unit of the resource class; 0 for a class without an option. */
    public long reserved(String resourceClass) {
        return reserved.getOrDefault(resourceClass, 0L);
    }

    /** Adds a ratio, unless it is 0.0, which means "not set" as in upstream. */
    private static void addRatio(Map<String, Double> ratios, String resourceClass, OptionReader reader, String option) {
        double ratio = reader.decimal(option, 0.0, 0.0);
        if (ratio > 0) {
            ratios.put(resourceClass, ratio);
        }
    }
}
