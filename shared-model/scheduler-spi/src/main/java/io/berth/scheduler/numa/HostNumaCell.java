package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One NUMA cell of a host, with its use.
 *
 * @param id number of the cell on the host; PCI pools refer to the cell by this number ({@code numa_node})
 * @param cpuset host CPUs for floating virtual CPUs
 * @param pcpuset host CPUs for pinned virtual CPUs; equals {@code cpuset} on hosts that are configured with nova's old
 *         option {@code vcpu_pin_set}
 * @param memoryMb total memory in MiB
 * @param cpuUsage number of floating virtual CPUs of instances
 * @param memoryUsageMb memory of instances, in MiB
 * @param pinnedCpus the CPUs of {@code pcpuset} to which virtual CPUs of instances are pinned
 * @param siblings the hardware threads of each core, in the host's order; may contain CPUs outside of both sets
 * @param pages memory pages by size, in the host's order; empty if the host reports none
 * @param network networks that are attached near the cell; null if the host reports none
 * @param socket number of the CPU socket; null if unknown
 */
public record HostNumaCell(
        int id,
        CpuSet cpuset,
        CpuSet pcpuset,
        long memoryMb,
        int cpuUsage,
        long memoryUsageMb,
        CpuSet pinnedCpus,
        List<CpuSet> siblings,
        List<PageInfo> pages,
        @Nullable NetworkMetadata network,
        @Nullable Integer socket) {

    public HostNumaCell {
        Objects.requireNonNull(cpuset, "cpuset");
        Objects.requireNonNull(pcpuset, "pcpuset");
        Objects.requireNonNull(pinnedCpus, "pinnedCpus");
        siblings = List.copyOf(siblings);
        pages = List.copyOf(pages);
    }

    /** Returns the CPUs of {@code pcpuset} to which no virtual CPU is pinned. */
    public CpuSet freePcpus() {
        return pcpuset.minus(pinnedCpus);
    }

    /**
     * Returns the {@linkplain #freePcpus free CPUs} of each core, in the order of {@code siblings}. A core without free
     * CPUs is an empty set.
     */
    public List<CpuSet> freeSiblings() {
        CpuSet free = freePcpus();
        List<CpuSet> cores = new ArrayList<>(siblings.size());
        for (CpuSet core : siblings) {
            cores.add(free.intersection(core));
        }
        return cores;
    }

    /** Returns the memory in MiB that instances do not use; negative on an overcommitted cell. */
    public long availableMemoryMb() {
        return memoryMb - memoryUsageMb;
    }

    /** Returns whether any core has more than one hardware thread. */
    public boolean hasThreads() {
        return siblings.stream().anyMatch(core -> core.size() > 1);
    }

    /** Returns the entry of the smallest page size; null if the host reports no pages. */
    public @Nullable PageInfo smallestPages() {
        PageInfo smallest = null;
        for (PageInfo page : pages) {
            if (smallest == null || page.sizeKb() < smallest.sizeKb()) {
                smallest = page;
            }
        }
        return smallest;
    }

    /** Returns this cell with other values of {@code cpuUsage}, {@code memoryUsageMb}, pinned CPUs and pages. */
    public HostNumaCell withUsage(int cpuCount, long usedMb, CpuSet pinned, List<PageInfo> pagesNow) {
        return new HostNumaCell(
                id, cpuset, pcpuset, memoryMb, cpuCount, usedMb, pinned, siblings, pagesNow, network, socket);
    }
}
