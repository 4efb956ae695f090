package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.numa.CpuThreadPolicy;
import io.berth.scheduler.numa.HostNumaCell;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Pins each dedicated virtual CPU to a host CPU according to the thread policy, and reserves CPUs for the emulator
 * threads. Within a core, the lowest free CPU is used first.
 * <br>Source: nova {@code virt/hardware.py} (_pack_instance_onto_cores).
 */
final class CorePacking {
    /**
     * @param pcpuByVcpu the host CPU of each dedicated virtual CPU; empty for a cell without dedicated CPUs
     * @param reserved host CPUs for the emulator threads; empty if none were requested
     */
    record Pinning(Map<Integer, Integer> pcpuByVcpu, CpuSet reserved) {}

    private final HostNumaCell host;
    /** Number of hardware threads of the largest core, free or not; at least 1. */
    private final int threadsPerCore;
    /** The free CPUs of each core; a set may be empty. */
    private final List<CpuSet> freeCores;

    CorePacking(HostNumaCell host) {
        this.host = host;
        this.threadsPerCore = Math.max(1, mostThreads(host.siblings()));
        this.freeCores = host.freeSiblings();
    }

    /**
     * Pins the virtual CPUs and reserves the CPU for the emulator threads. Returns empty if that is not possible for
     * all of them, or if the host cell does not report its cores.
     *
     * @param reservedCount number of host CPUs for the emulator threads, 0 or 1
     * @param policy null counts as prefer
     */
    Optional<Pinning> pack(CpuSet vcpus, int reservedCount, @Nullable CpuThreadPolicy policy) {
        if (host.siblings().isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(switch (policy) {
            case ISOLATE -> isolate(vcpus, reservedCount);
            case REQUIRE -> require(vcpus, reservedCount);
            case PREFER -> prefer(vcpus, reservedCount);
            case null -> prefer(vcpus, reservedCount);
        });
    }

    /** Returns the maximum number of virtual CPUs that could be pinned to the free CPUs with this policy. */
    int maxPinnable(@Nullable CpuThreadPolicy policy) {
        return switch (policy) {
            case ISOLATE -> wholeCores().size();
            case REQUIRE -> IntStream.rangeClosed(2, mostThreads(freeCores))
                    .map(threads -> threads * coresWith(threads).size())
                    .max().orElse(0);
            case PREFER -> freeCpus();
            case null -> freeCpus();
        };
    }

    private int freeCpus() {
        return freeCores.stream().mapToInt(CpuSet::size).sum();
    }

    /**
     * Returns the cores of which all threads are free, without cores that have fewer threads than the largest core. As
     * in nova, returns none if cores have several threads and the host cell's sets of shared and dedicated CPUs differ:
     * equal sets come from the old option {@code vcpu_pin_set}, and nova uses one thread of such a core only on hosts
     * with this option.
     */
    private List<CpuSet> wholeCores() {
        return threadsPerCore == 1 || host.pcpuset().equals(host.cpuset()) ? coresWith(threadsPerCore) : List.of();
    }

    /**
     * Pins each virtual CPU to one thread of a core of which all threads are free. Returns null if there are too few of
     * these cores, or no other core has a free CPU for the emulator threads.
     */
    private @Nullable Pinning isolate(CpuSet vcpus, int reservedCount) {
        List<CpuSet> wholeCores = wholeCores();
        if (wholeCores.isEmpty() || vcpus.isEmpty()) {
            return null;
        }
        Map<Integer, Integer> pinning = pin(vcpus, wholeCores, 1);
        return pinning == null ? null : withReserved(pinning, coresWith(1), reservedCount, true);
    }

    /**
     * Pins the virtual CPUs to as many threads of each core as possible, at least two. Returns null if that is not
     * possible.
     */
    private @Nullable Pinning require(CpuSet vcpus, int reservedCount) {
        if (threadsPerCore < 2) {
            return null;
        }
        for (int threads = mostThreads(freeCores); threads >= 2; threads--) {
            Pinning packed = packOnto(vcpus, threads, reservedCount);
            if (packed != null) {
                return packed;
            }
        }
        return null;
    }

    /**
     * Pins the virtual CPUs as {@link #require} does, but also to single threads of cores; if that fails, to any free
     * CPUs. Returns null if that fails, too.
     */
    private @Nullable Pinning prefer(CpuSet vcpus, int reservedCount) {
        for (int threads = mostThreads(freeCores); threads >= 1; threads--) {
            Pinning packed = packOnto(vcpus, threads, reservedCount);
            if (packed != null) {
                return packed;
            }
        }
        // Nova stops here if only the reservation for emulator threads failed. The result is the same: then no CPU is
        // free, and the last attempt fails, too.
        List<CpuSet> singles = freeCores.stream()
                .flatMap(core -> core.stream().mapToObj(CpuSet::of))
                .toList();
        Map<Integer, Integer> spread = pin(vcpus, singles, 1);
        return spread == null ? null : withReserved(spread, singles, reservedCount, false);
    }

    /**
     * Pins the virtual CPUs to {@code threads} threads of each core with at least that many free threads. Returns null
     * if these cores do not suffice, or if no CPU is left for the emulator threads.
     */
    private @Nullable Pinning packOnto(CpuSet vcpus, int threads, int reservedCount) {
        Map<Integer, Integer> pinning = pin(vcpus, coresWith(threads), threads);
        return pinning == null ? null : withReserved(pinning, coresWith(1), reservedCount, false);
    }

    private List<CpuSet> coresWith(int threads) {
        List<CpuSet> cores = new ArrayList<>(freeCores.size());
        for (CpuSet core : freeCores) {
            if (core.size() >= threads) {
                cores.add(core);
            }
        }
        return cores;
    }

    private static int mostThreads(List<CpuSet> cores) {
        int maximum = 0;
        for (CpuSet core : cores) {
            maximum = Math.max(maximum, core.size());
        }
        return maximum;
    }

    /**
     * Pins the virtual CPUs, in ascending order, to {@code threads} CPUs of each core. Returns the host CPU by virtual
     * CPU; null if the cores have too few CPUs.
     */
    private static @Nullable Map<Integer, Integer> pin(CpuSet vcpus, List<CpuSet> cores, int threads) {
        if (threads * cores.size() < vcpus.size()) {
            return null;
        }
        var pinning = new TreeMap<Integer, Integer>();
        int vcpu = vcpus.next(0);
        for (CpuSet core : cores) {
            int pcpu = core.next(0);
            for (int thread = 0; thread < threads && vcpu >= 0; thread++) {
                pinning.put(vcpu, pcpu);
                vcpu = vcpus.next(vcpu + 1);
                pcpu = core.next(pcpu + 1);
            }
        }
        return pinning;
    }

    /**
     * Reserves the CPUs for the emulator threads. Returns null if CPUs are requested, and none is free or no virtual
     * CPU is pinned.
     *
     * @param wholeCores whether the free threads of a core with pinned virtual CPUs must stay unused
     */
    private static @Nullable Pinning withReserved(
            Map<Integer, Integer> pinning, List<CpuSet> cores, int reservedCount, boolean wholeCores) {
        if (reservedCount == 0) {
            return new Pinning(pinning, CpuSet.EMPTY);
        }
        if (pinning.isEmpty()) {
            return null;
        }
        CpuSet used = CpuSet.of(pinning.values());
        int[] unused = cores.stream()
                .filter(core -> !wholeCores || !core.intersects(used))
                .flatMapToInt(core -> core.minus(used).stream())
                .limit(reservedCount)
                .toArray();
        return unused.length == 0 ? null : new Pinning(pinning, CpuSet.of(unused));
    }
}
