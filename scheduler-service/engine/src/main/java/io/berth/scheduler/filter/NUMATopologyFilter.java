package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.fitting.Fitting;
import io.berth.scheduler.numa.fitting.FittingObstacle;
import io.berth.scheduler.numa.fitting.FittingSession;
import io.berth.scheduler.pci.PciDemand;
import io.berth.scheduler.request.ImageProperties;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Keeps the allocation candidates with which the NUMA topology and the PCI requests of the instance fit the host, and
 * rejects hosts without such a candidate. Sets the overcommit limits that the compute service of the host checks. Also
 * rejects hosts whose cores have one thread if the request has the CPU policy {@code dedicated} and the thread policy
 * {@code require}. Accepts all other hosts for a request without a NUMA topology.
 * <br>Cost: one fitting for each candidate; as in nova, the candidates of a host share one {@link FittingSession}, in
 * which the fitting of a candidate depends on the earlier candidates.
 * <br>Differs from nova: nova requires an image; here a request without an image is treated as if its image had no
 * properties.
 * <br>Source: nova {@code scheduler/filters/numa_topology_filter.py}.
 */
@Singleton
public final class NUMATopologyFilter implements PreparedFilter {
    private static final Verdict NO_THREADS =
            Verdict.reject("no_threads", "thread policy require needs several threads per core, host has one", 2L, 1L);
    private static final Verdict NO_CANDIDATE =
            Verdict.reject("no_candidate", "host has no allocation candidate to fit", 1L, 0L);
    private static final long KIB_PER_MIB = 1024;

    @Override
    public Sensitivity sensitivity() {
        return Sensitivity.CANDIDATES;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        boolean requiresThreads = requiresThreads(spec);
        return spec.numaTopology() == null && !requiresThreads
                ? HostCheck.PASS
                : host -> fit(host, spec, requiresThreads, options);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        if (reason.code().equals("no_candidate")) {
            return List.of();
        }
        List<Remedy> remedies = new ArrayList<>();
        InstanceNuma topology = spec.numaTopology();
        if (topology != null && reason.values().getLast() instanceof FittingObstacle obstacle) {
            remedies.addAll(remediesThatFit(obstacle, topology.cells().size()));
        }
        remedies.add(withoutTopology(spec));
        if (reason.code().equals(FittingObstacle.Kind.PCI.code())) {
            remedies.addAll(PciPassthroughFilter.WITHOUT_DEVICES);
        }
        return remedies;
    }

    /**
     * Returns the remedy that requests the largest amount that fits; none if no amount fits, or if the obstacle is not
     * an amount of the flavor.
     *
     * @param cellCount the number of cells into which the flavor's amount is split
     */
    private static List<Remedy> remediesThatFit(FittingObstacle obstacle, int cellCount) {
        long offered = (long) obstacle.offered();
        return switch (obstacle.kind()) {
            case CPUS, CORES, CPU_LIMIT -> Remedy.flavorWith("vcpus", cellCount * offered);
            case MEMORY, RAM_LIMIT -> Remedy.flavorWith("memory_mb", cellCount * offered);
            case PAGES -> Remedy.flavorWith("memory_mb", cellCount * offered / KIB_PER_MIB);
            case PAGE_MULTIPLE -> {
                long page = Math.max(1, offered);
                yield Remedy.flavorWith("memory_mb",
                        cellCount * ((long) obstacle.needed() / page * page) / KIB_PER_MIB);
            }
            case CELLS, PAGE_SIZE, PCI, NETWORK, ATTEMPTS -> List.of();
        };
    }

    /** Returns the remedy that omits all members of the request that may demand a NUMA topology. */
    private static Remedy withoutTopology(RequestSpec spec) {
        List<RequestMember> members = new ArrayList<>();
        members.add(RequestMember.of("numa_topology"));
        spec.flavor().extraSpecs().keySet().stream()
                .filter(name -> name.startsWith("hw:") || name.equals("resources:PCPU"))
                .map(RequestMember::extraSpec)
                .forEach(members::add);
        if (spec.image() != null) {
            spec.image().properties().keySet().stream()
                    .filter(name -> Stream.of("hw_numa", "hw_cpu", "hw_mem").anyMatch(name::startsWith))
                    .map(RequestMember::imageProperty)
                    .forEach(members::add);
        }
        return new Remedy.Omit(members);
    }

    private static Verdict fit(HostState host, RequestSpec spec, boolean requiresThreads, Options options) {
        if (requiresThreads && host.numaTopology() != null && !host.numaTopology().hasThreads()) {
            return NO_THREADS;
        }
        if (spec.numaTopology() == null) {
            return Verdict.PASS;
        }
        if (host.numaTopology() == null) {
            return Verdict.reject("no_topology", "host reports no NUMA topology",
                    (long) spec.numaTopology().cells().size(), 0L);
        }
        var limits = new NumaLimits(host.cpuAllocationRatio(), host.ramAllocationRatio(), spec.networkMetadata());
        var session = new FittingSession(
                host.numaTopology(),
                spec.numaTopology(),
                limits,
                options.compute().packingHostNumaCellsAllocationStrategy());
        List<AllocationCandidate> fitting = new ArrayList<>();
        FittingObstacle obstacle = null;
        for (AllocationCandidate candidate : host.allocationCandidates()) {
            switch (session.fit(devices(host, spec, candidate))) {
                case Fitting.Fitted _ -> fitting.add(candidate);
                case Fitting.Unfit(FittingObstacle candidateObstacle) -> obstacle =
                        obstacle == null || candidateObstacle.shortfall() <= obstacle.shortfall()
                                ? candidateObstacle
                                : obstacle;
            }
        }
        if (!fitting.isEmpty()) {
            return new Verdict.Narrow(fitting, host.limits().withNuma(limits));
        }
        return obstacle == null
                ? NO_CANDIDATE
                : Verdict.lacking(obstacle.shortfall(), obstacle.kind().code(), "NUMA topology does not fit: %3$s",
                        obstacle.needed(), obstacle.offered(), obstacle);
    }

    /** Returns the host's PCI devices for a candidate; null if the host reports no PCI data. */
    static @Nullable CellDevices devices(HostState host, RequestSpec spec, AllocationCandidate candidate) {
        return host.pciStats() == null
                ? null
                : new PciDemand(host.pciStats(), spec.pciRequests(), candidate.mappings(), host.numaTopology());
    }

    /** Returns whether the request demands dedicated CPUs on cores with several hardware threads. */
    private static boolean requiresThreads(RequestSpec spec) {
        Map<String, String> flavor = spec.flavor().extraSpecs();
        ImageProperties image = spec.imageProperties();
        boolean dedicated =
                "dedicated".equals(flavor.get("hw:cpu_policy")) || "dedicated".equals(image.text("hw_cpu_policy"));
        boolean require = "require".equals(flavor.get("hw:cpu_thread_policy"))
                || "require".equals(image.text("hw_cpu_thread_policy"));
        return dedicated && require;
    }
}
