package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.PageInfo;
import io.berth.scheduler.numa.PageSize;
import io.berth.scheduler.numa.fitting.FittingObstacle.Kind;
import jakarta.annotation.Nullable;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Fits one instance cell to one host cell. Checks in this order: memory and page size, number of CPUs, pinning (of a
 * cell with dedicated CPUs), overcommitment (of a cell with shared CPUs). As in nova, the page size and the pinning of
 * an earlier check stay in the instance cell even if a later check fails.
 * <br>Source: nova {@code virt/hardware.py} (_numa_fit_instance_cell and what it calls).
 */
final class CellFit {
    private static final long KIB_PER_MIB = 1024;

    private final HostNumaCell host;
    private final int reservedPcpus;
    private InstanceNumaCell cell;

    private CellFit(HostNumaCell host, InstanceNumaCell cell, int reservedPcpus) {
        this.host = host;
        this.cell = cell;
        this.reservedPcpus = reservedPcpus;
    }

    /**
     * Fits the instance cell to the host cell.
     *
     * @param limits overcommit limits; null for none
     * @param reservedPcpus number of host CPUs to reserve for the emulator threads, 0 or 1
     */
    static CellAttempt attempt(
            HostNumaCell host, InstanceNumaCell cell, @Nullable NumaLimits limits, int reservedPcpus) {
        var fit = new CellFit(host, cell, reservedPcpus);
        FittingObstacle obstacle = fit.firstObstacle(limits);
        return new CellAttempt(obstacle == null ? fit.cell.withId(host.id()) : fit.cell, obstacle);
    }

    private @Nullable FittingObstacle firstObstacle(@Nullable NumaLimits limits) {
        Integer requestedSize = cell.pageSize();
        FittingObstacle obstacle =
                requestedSize != null && cell.wantsPageSize() ? choosePageSize(requestedSize) : checkMemory();
        if (obstacle == null) {
            obstacle = checkCpuCount();
        }
        if (obstacle == null && cell.pins()) {
            obstacle = pin();
        }
        if (obstacle == null && cell.shares() && limits != null) {
            obstacle = checkOvercommit(limits);
        }
        return obstacle;
    }

    private @Nullable FittingObstacle choosePageSize(int requestedSize) {
        long memoryKb = cell.memoryMb() * KIB_PER_MIB;
        List<PageInfo> allowed = allowedPages(requestedSize);
        for (PageInfo pages : allowed) {
            if (fitsInto(pages, memoryKb, pages.free())) {
                cell = cell.withPageSize(pages.sizeKb());
                return null;
            }
        }
        if (allowed.isEmpty()) {
            return obstacle(Kind.PAGE_SIZE, requestedSize, 0);
        }
        List<PageInfo> dividing = allowed.stream().filter(pages -> memoryKb % pages.sizeKb() == 0).toList();
        return dividing.isEmpty()
                ? obstacle(Kind.PAGE_MULTIPLE, memoryKb, allowed.getLast().sizeKb())
                : obstacle(Kind.PAGES, memoryKb, dividing.stream()
                        .mapToLong(pages -> fittingKb(pages, memoryKb, pages.free()))
                        .max().orElse(0));
    }

    /** Returns the page sizes of the host that the request permits, the largest first. */
    private List<PageInfo> allowedPages(int pageSize) {
        PageInfo smallest = host.smallestPages();
        if (smallest == null) {
            return List.of();
        }
        return host.pages().stream()
                .filter(pages -> switch (pageSize) {
                    case PageSize.ANY -> true;
                    case PageSize.SMALL -> pages.sizeKb() == smallest.sizeKb();
                    case PageSize.LARGE -> pages.sizeKb() != smallest.sizeKb();
                    default -> pages.sizeKb() == pageSize;
                })
                .sorted(Comparator.comparingInt(PageInfo::sizeKb).reversed())
                .toList();
    }

    /**
     * Returns whether the memory is a whole number of pages, and at most {@code pageCount} pages. Compares numbers of
     * pages, because a product in KiB could overflow.
     */
    private static boolean fitsInto(PageInfo pages, long memoryKb, long pageCount) {
        return memoryKb % pages.sizeKb() == 0 && memoryKb / pages.sizeKb() <= pageCount;
    }

    /** Returns the KiB of the memory that fit into {@code pageCount} whole pages. */
    private static long fittingKb(PageInfo pages, long memoryKb, long pageCount) {
        return Math.max(0, Math.min(memoryKb / pages.sizeKb(), pageCount)) * pages.sizeKb();
    }

    /**
     * Checks the memory of a cell without a requested page size. An instance cell with pinned CPUs may use only the
     * free memory of the host cell; any other instance cell may use up to the total memory of the host cell.
     */
    private @Nullable FittingObstacle checkMemory() {
        PageInfo smallest = host.smallestPages();
        if (smallest == null) {
            long offeredMb = cell.pins() ? host.availableMemoryMb() : host.memoryMb();
            return cell.memoryMb() <= offeredMb ? null : obstacle(Kind.MEMORY, cell.memoryMb(), offeredMb);
        }
        long memoryKb = cell.memoryMb() * KIB_PER_MIB;
        long offered = cell.pins() ? smallest.free() : smallest.total();
        if (fitsInto(smallest, memoryKb, offered)) {
            return null;
        }
        return memoryKb % smallest.sizeKb() != 0
                ? obstacle(Kind.PAGE_MULTIPLE, memoryKb, smallest.sizeKb())
                : obstacle(Kind.PAGES, memoryKb, fittingKb(smallest, memoryKb, offered));
    }

    /**
     * Checks that the instance cell needs at most as many dedicated and as many shared CPUs as the host cell has in
     * total. Overcommit limits do not apply here, because an instance must not overcommit against itself.
     */
    private @Nullable FittingObstacle checkCpuCount() {
        int dedicated = cell.pcpuset().size() + reservedPcpus;
        if (cell.pins() && dedicated > host.pcpuset().size()) {
            return obstacle(Kind.CPUS, dedicated, host.pcpuset().size());
        }
        int shared = cell.cpuset().size();
        return cell.shares() && shared > host.cpuset().size()
                ? obstacle(Kind.CPUS, shared, host.cpuset().size())
                : null;
    }

    private @Nullable FittingObstacle pin() {
        int needed = cell.pcpuset().size() + reservedPcpus;
        int free = host.freePcpus().size();
        if (needed > free) {
            return obstacle(Kind.CPUS, needed, free);
        }
        CorePacking cores = new CorePacking(host);
        Optional<CorePacking.Pinning> pinning = cores.pack(cell.pcpuset(), reservedPcpus, cell.cpuThreadPolicy());
        if (pinning.isEmpty()) {
            // The cores may have enough CPUs for the virtual CPUs, but none for the emulator threads; so the offered
            // number is limited to one less than needed.
            return obstacle(Kind.CORES, needed, Math.min(cores.maxPinnable(cell.cpuThreadPolicy()), needed - 1));
        }
        cell = cell.withPinning(pinning.get().pcpuByVcpu(), pinning.get().reserved());
        return null;
    }

    private @Nullable FittingObstacle checkOvercommit(NumaLimits limits) {
        double cpus = (double) host.cpuUsage() + cell.cpuset().size();
        double cpuLimit = host.cpuset().size() * limits.cpuAllocationRatio();
        if (cpus > cpuLimit) {
            return obstacle(Kind.CPU_LIMIT, cpus, cpuLimit);
        }
        double memoryMb = (double) (host.memoryUsageMb() + cell.memoryMb());
        double memoryLimitMb = host.memoryMb() * limits.ramAllocationRatio();
        return memoryMb > memoryLimitMb ? obstacle(Kind.RAM_LIMIT, memoryMb, memoryLimitMb) : null;
    }

    private FittingObstacle obstacle(Kind kind, double needed, double offered) {
        return new FittingObstacle(kind, host.id(), needed, offered);
    }
}
