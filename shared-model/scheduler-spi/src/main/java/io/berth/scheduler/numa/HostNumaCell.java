package io.berth.scheduler.numa;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One NUMA cell of a host and the part of it that is in use.
 *
 * @param id the number that the host gives to the cell; PCI pools near it have the same {@code numa_node}
 * @param cpuset host CPUs for floating instances
 * @param pcpuset host CPUs for pinned instances; may equal {@code cpuset} on hosts configured the old way
 * @param memoryMb total memory in MiB
 * @param cpuUsage floating virtual CPUs placed here, a count
 * @param memoryUsageMb memory given to instances, MiB
 * @param pinnedCpus the part of {@code pcpuset} that is taken
 * @param siblings hardware threads per core, in the host's order; may name CPUs outside of both sets
 * @param pages memory pages per size, in the host's order; empty if the host reports none
 * @param network null if the host reports none
 * @param socket number of the CPU socket, null if unknown
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

    public CpuSet freePcpus() {
        return pcpuset.minus(pinnedCpus);
    }

    /**
     * Returns the free CPUs of each core, in the order of {@code siblings}. A core without free CPUs is an empty set.
     */
    public List<CpuSet> freeSiblings() {
        CpuSet free = freePcpus();
        List<CpuSet> cores = new ArrayList<>(siblings.size());
        for (CpuSet core : siblings) {
            cores.add(free.intersection(core));
        }
        return cores;
    }

    /** Returns the memory in MiB that instances have not taken; negative on an overcommitted cell. */
    public long availableMemoryMb() {
        return memoryMb - memoryUsageMb;
    }

    /** Returns whether any core has more than one hardware thread. */
    public boolean hasThreads() {
        return siblings.stream().anyMatch(core -> core.size() > 1);
    }

    /** Returns the pages of the smallest size; null if the host reports no pages. */
    public @Nullable PageInfo smallestPages() {
        PageInfo smallest = null;
        for (PageInfo each : pages) {
            if (smallest == null || each.sizeKb() < smallest.sizeKb()) {
                smallest = each;
            }
        }
        return smallest;
    }

    public HostNumaCell withUsage(int cpuCount, long usedMb, CpuSet pinned, List<PageInfo> pagesNow) {
        return new HostNumaCell(
                id, cpuset, pcpuset, memoryMb, cpuCount, usedMb, pinned, siblings, pagesNow, network, socket);
    }
}
