package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.CpuPolicy;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.PageInfo;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Checks one instance cell on one host cell by rules that must all hold, without packing: slow and obvious. */
final class SlowCellFit {
    private SlowCellFit() {}

    /** Supports concrete page sizes only, and no CPU for emulator threads. */
    static boolean fits(HostNumaCell host, InstanceNumaCell cell, NumaLimits limits) {
        boolean pins = cell.cpuPolicy() == CpuPolicy.DEDICATED || cell.cpuPolicy() == CpuPolicy.MIXED;
        boolean shares = cell.cpuPolicy() != CpuPolicy.DEDICATED;
        return memory(host, cell, pins)
                && (!pins || cores(host, cell))
                && (!shares || cell.cpuset().size() <= host.cpuset().size())
                && (!shares || limits == null || withinLimits(host, cell, limits));
    }

    private static boolean memory(HostNumaCell host, InstanceNumaCell cell, boolean pins) {
        if (host.pages().isEmpty()) {
            return cell.pageSize() == null
                    && cell.memoryMb() <= (pins ? host.memoryMb() - host.memoryUsageMb() : host.memoryMb());
        }
        PageInfo pages = cell.pageSize() != null
                ? host.pages().stream().filter(each -> each.sizeKb() == cell.pageSize()).findFirst().orElse(null)
                : host.pages().stream().min(Comparator.comparingInt(PageInfo::sizeKb)).orElseThrow();
        if (pages == null) {
            return false;
        }
        boolean mayOvercommit = cell.pageSize() == null && !pins;
        long count = mayOvercommit ? pages.total() : pages.total() - pages.used() - pages.reserved();
        BigDecimal neededKb = BigDecimal.valueOf(cell.memoryMb()).multiply(BigDecimal.valueOf(1024));
        BigDecimal[] division = neededKb.divideAndRemainder(BigDecimal.valueOf(pages.sizeKb()));
        return division[1].signum() == 0 && division[0].compareTo(BigDecimal.valueOf(count)) <= 0;
    }

    private static boolean cores(HostNumaCell host, InstanceNumaCell cell) {
        int wanted = cell.pcpuset().size();
        int threadsMax = host.siblings().stream().mapToInt(CpuSet::size).max().orElseThrow();
        List<Integer> freeThreads = host.siblings().stream()
                .map(core -> (int) core.stream()
                        .filter(cpu -> host.pcpuset().contains(cpu) && !host.pinnedCpus().contains(cpu))
                        .count())
                .toList();
        CpuThreadPolicy policy = cell.cpuThreadPolicy() == null ? CpuThreadPolicy.PREFER : cell.cpuThreadPolicy();
        return switch (policy) {
            case PREFER -> wanted <= freeThreads.stream().mapToInt(each -> each).sum();
            case REQUIRE -> IntStream.rangeClosed(2, threadsMax)
                    .anyMatch(threads -> wanted <= threads * coresWith(freeThreads, threads));
            case ISOLATE -> wanted <= coresWith(freeThreads, threadsMax)
                    && (threadsMax == 1 || host.pcpuset().equals(host.cpuset()));
        };
    }

    private static int coresWith(List<Integer> freeThreads, int threads) {
        return (int) freeThreads.stream().filter(free -> free >= threads).count();
    }

    private static boolean withinLimits(HostNumaCell host, InstanceNumaCell cell, NumaLimits limits) {
        return host.cpuUsage() + cell.cpuset().size() <= host.cpuset().size() * limits.cpuAllocationRatio()
                && host.memoryUsageMb() + cell.memoryMb() <= host.memoryMb() * limits.ramAllocationRatio();
    }
}
