package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.fitting.Fitting;
import io.berth.scheduler.numa.fitting.FittingSession;
import io.berth.scheduler.numa.fitting.NumaCharge;
import io.berth.scheduler.pci.CellAffinity;
import io.berth.scheduler.pci.PciDemand;
import io.berth.scheduler.pci.PciStats;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * The host and the request as the next round sees them: charged for the instance that the round placed.
 *
 * <p>Swap is not charged, and the root disk is charged even if it is a volume. The fitted NUMA topology replaces the
 * requested one, so the next instance starts from it. If the NUMA cells or PCI devices cannot be charged, what was
 * charged before them (RAM, disk, vCPUs) stays charged.
 * <br>Source: nova {@code scheduler/host_manager.py} (consume_from_request), {@code scheduler/manager.py}.
 */
record Consumption(HostState host, RequestSpec spec) {
    private static final Logger LOG = Logger.getLogger(Consumption.class);

    static Consumption of(HostState host, RequestSpec spec, Options options) {
        HostState charged = host.toBuilder()
                .freeRamMb(host.freeRamMb() - spec.flavor().memoryMb())
                .freeDiskMb(host.freeDiskMb() - 1024 * (spec.flavor().rootGb() + spec.flavor().ephemeralGb()))
                .vcpusUsed(host.vcpusUsed() + spec.flavor().vcpus())
                .numInstances(host.numInstances() + 1)
                .build();
        return new Consumption(charged, spec)
                .chargeTopologyAndDevices(options)
                .joinGroup();
    }

    private static Map<String, List<String>> mappings(HostState host) {
        List<AllocationCandidate> candidates = host.allocationCandidates();
        return candidates.isEmpty() ? Map.of() : candidates.getFirst().mappings();
    }

    private Consumption chargeTopologyAndDevices(Options options) {
        RequestSpec fitted = spec;
        HostNuma numaLeft = host.numaTopology();
        if (host.numaTopology() != null && spec.numaTopology() != null) {
            InstanceNuma topology = fit(options);
            fitted = spec.toBuilder().numaTopology(topology).build();
            if (topology != null) {
                switch (NumaCharge.place(host.numaTopology(), topology)) {
                    case NumaCharge.Charged(HostNuma left) -> numaLeft = left;
                    case NumaCharge.Refused refused -> {
                        LOG.warnf("NUMA cell cannot be charged; host=%s cell=%d", host.host(), refused.cellId());
                        return new Consumption(host, fitted);
                    }
                }
            }
        }
        HostState charged = host.toBuilder().numaTopology(numaLeft).build();
        PciStats devices = host.pciStats();
        if (devices != null && !spec.pciRequests().isEmpty()) {
            Set<Integer> cells = fitted.numaTopology() == null ? Set.of() : fitted.numaTopology().cellIds();
            CellAffinity affinity =
                    cells.isEmpty() ? CellAffinity.ANYWHERE : CellAffinity.of(host.numaTopology(), cells);
            Optional<PciStats> left = devices.take(spec.pciRequests(), mappings(host), affinity);
            if (left.isEmpty()) {
                LOG.warnf("PCI devices cannot be charged; host=%s", host.host());
                return new Consumption(charged, fitted);
            }
            devices = left.get();
        }
        return new Consumption(
                charged.toBuilder().pciStats(devices).numIoOps(host.numIoOps() + 1).build(), fitted);
    }

    /** Returns null if the topology does not fit, which can happen only if filters were skipped. */
    private @Nullable InstanceNuma fit(Options options) {
        boolean pack = options.compute().packingHostNumaCellsAllocationStrategy();
        var session = new FittingSession(host.numaTopology(), spec.numaTopology(), host.limits().numa(), pack);
        CellDevices devices = host.pciStats() == null
                ? null
                : new PciDemand(host.pciStats(), spec.pciRequests(), mappings(host), host.numaTopology());
        return switch (session.fit(devices)) {
            case Fitting.Fitted(InstanceNuma topology) -> topology;
            case Fitting.Unfit _ -> null;
        };
    }

    private Consumption joinGroup() {
        InstanceGroup group = spec.instanceGroup();
        if (group == null) {
            return this;
        }
        HostState joined = host;
        InstanceGroup more = group.withHost(host.host());
        if (spec.instanceUuid() != null) {
            // Claims count members per compute service, and a service may have other nodes.
            more = more.withSeat(host.host(), spec.instanceUuid());
            var instances = new HashMap<>(host.instances());
            instances.putIfAbsent(spec.instanceUuid(), new RunningInstance(spec.flavor().id(), null));
            joined = host.toBuilder().instances(instances).build();
        }
        return new Consumption(joined, spec.toBuilder().instanceGroup(more).build());
    }
}
