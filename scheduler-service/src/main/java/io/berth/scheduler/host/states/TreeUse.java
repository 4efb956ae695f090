package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import java.util.List;

/** What a provider tree has and uses of the classes that host states count, summed over its providers. */
final class TreeUse {
    private static final long MIB_PER_GIB = 1024;

    private boolean hasVcpu;
    private boolean hasRam;
    private boolean hasDisk;
    private long vcpuCapacity;
    private long vcpuUsed;
    private long pcpuUsed;
    private long ramCapacity;
    private long ramUsed;
    private long diskCapacity;
    private long diskUsed;

    private TreeUse() {}

    static TreeUse of(List<ProviderSummary> tree) {
        TreeUse use = new TreeUse();
        tree.forEach(summary -> summary.resources().forEach(use::add));
        return use;
    }

    private void add(String resourceClass, ProviderSummary.Usage usage) {
        switch (resourceClass) {
            case "VCPU" -> {
                hasVcpu = true;
                vcpuCapacity += usage.capacity();
                vcpuUsed += usage.used();
            }
            case "PCPU" -> pcpuUsed += usage.used();
            case "MEMORY_MB" -> {
                hasRam = true;
                ramCapacity += usage.capacity();
                ramUsed += usage.used();
            }
            case "DISK_GB" -> {
                hasDisk = true;
                diskCapacity += usage.capacity();
                diskUsed += usage.used();
            }
            default -> {
                // Host states do not count it.
            }
        }
    }

    /** Totals as reported, or, where nothing is, placement's capacity. */
    void applyTo(HostState.Builder host, HostState reported) {
        apply(
                host,
                reported.vcpusTotal() > 0 ? reported.vcpusTotal() : vcpuCapacity,
                reported.totalUsableRamMb() > 0 ? reported.totalUsableRamMb() : ramCapacity,
                reported.totalUsableDiskGb() > 0 ? reported.totalUsableDiskGb() : diskCapacity);
    }

    /**
     * The same for a host that reports all the time, as nova's computes do: of what is used the more counts, since
     * placement knows what was claimed since, and the host what holds no allocation: reserved memory, and disk beside that
     * of instances. Its used CPUs are those of any instance, pinned or not.
     * <br>Source: nova {@code compute/resource_tracker.py} (_update_usage), {@code scheduler/host_manager.py}
     * (_update_from_compute_node).
     */
    void applyBeside(HostState.Builder host, HostState reported) {
        applyTo(host, reported);
        if (hasVcpu && reported.vcpusTotal() > 0) {
            host.vcpusUsed(Math.max(reported.vcpusUsed(), vcpuUsed + pcpuUsed));
        }
        if (hasRam && reported.totalUsableRamMb() > 0) {
            host.freeRamMb(Math.min(reported.freeRamMb(), reported.totalUsableRamMb() - ramUsed));
        }
        if (hasDisk && reported.totalUsableDiskGb() > 0) {
            long left = reported.totalUsableDiskGb() - diskUsed;
            host.freeDiskMb(Math.min(reported.freeDiskMb(), left * MIB_PER_GIB))
                    .diskMbUsed(Math.max(reported.diskMbUsed(), diskUsed * MIB_PER_GIB));
        }
    }

    /** Totals are placement's capacity. */
    void applyTo(HostState.Builder host) {
        apply(host, vcpuCapacity, ramCapacity, diskCapacity);
    }

    /** A class the tree does not have leaves what the host reported. */
    private void apply(HostState.Builder host, long vcpus, long ramMb, long diskGb) {
        if (hasVcpu) {
            host.vcpusTotal(vcpus).vcpusUsed(vcpuUsed);
        }
        if (hasRam) {
            host.totalUsableRamMb(ramMb).freeRamMb(ramMb - ramUsed);
        }
        if (hasDisk) {
            host.totalUsableDiskGb(diskGb)
                    .freeDiskMb((diskGb - diskUsed) * MIB_PER_GIB)
                    .diskMbUsed(diskUsed * MIB_PER_GIB);
        }
    }
}
