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
 * The selected host and the request after the placement of one instance, for the next {@link Round}, which places the
 * request's next instance. The placed instance's resources are subtracted from the host, and the instance is a member
 * of the request's server group.
 *
 * <p>As in nova, swap is not subtracted, and the root disk is subtracted even if it is a volume. The fitted NUMA
 * topology replaces the requested one, so that the next instance starts from the fitted topology; a topology that does
 * not fit is removed from the request. If the NUMA cells or PCI devices cannot be subtracted, the amounts of RAM, disk
 * and vCPUs remain subtracted, but the host's I/O operations are not increased.
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
        RequestSpec nextSpec = spec;
        HostNuma numaAfter = host.numaTopology();
        if (host.numaTopology() != null && spec.numaTopology() != null) {
            InstanceNuma topology = fit(host.numaTopology(), spec.numaTopology(), options);
            nextSpec = spec.toBuilder().numaTopology(topology).build();
            if (topology != null) {
                switch (NumaCharge.add(host.numaTopology(), topology)) {
                    case NumaCharge.Charged(HostNuma chargedTopology) -> numaAfter = chargedTopology;
                    case NumaCharge.Refused refused -> {
                        LOG.warnf("NUMA cell cannot be charged; host=%s cell=%d", host.host(), refused.cellId());
                        return new Consumption(host, nextSpec);
                    }
                }
            }
        }
        HostState charged = host.toBuilder().numaTopology(numaAfter).build();
        PciStats devices = host.pciStats();
        if (devices != null && !spec.pciRequests().isEmpty()) {
            Set<Integer> cells = nextSpec.numaTopology() == null ? Set.of() : nextSpec.numaTopology().cellIds();
            CellAffinity affinity =
                    cells.isEmpty() ? CellAffinity.ANYWHERE : CellAffinity.of(host.numaTopology(), cells);
            Optional<PciStats> remainingDevices = devices.take(spec.pciRequests(), mappings(host), affinity);
            if (remainingDevices.isEmpty()) {
                LOG.warnf("PCI devices cannot be charged; host=%s", host.host());
                return new Consumption(charged, nextSpec);
            }
            devices = remainingDevices.get();
        }
        return new Consumption(
                charged.toBuilder().pciStats(devices).numIoOps(host.numIoOps() + 1).build(), nextSpec);
    }

    /**
     * Returns the requested topology, fitted to the host's cells; null if the topology does not fit, which can only
     * happen if filters were skipped.
     */
    private @Nullable InstanceNuma fit(HostNuma offered, InstanceNuma requested, Options options) {
        boolean pack = options.compute().packingHostNumaCellsAllocationStrategy();
        var session = new FittingSession(offered, requested, host.limits().numa(), pack);
        CellDevices devices = host.pciStats() == null
                ? null
                : new PciDemand(host.pciStats(), spec.pciRequests(), mappings(host), offered);
        return switch (session.fit(devices)) {
            case Fitting.Fitted(InstanceNuma topology) -> topology;
            case Fitting.Unfit _ -> null;
        };
    }

    /**
     * Adds the placed instance to the server group and to the host's instances, so that later rounds count it. An
     * instance without a uuid only adds its host to the group.
     */
    private Consumption joinGroup() {
        InstanceGroup group = spec.instanceGroup();
        if (group == null) {
            return this;
        }
        HostState joinedHost = host;
        InstanceGroup joinedGroup = group.withHost(host.host());
        if (spec.instanceUuid() != null) {
            // A claim counts members on all nodes of a compute service, so the member also counts as a reservation on
            // the service's other nodes.
            joinedGroup = joinedGroup.withSeat(host.host(), spec.instanceUuid());
            var instances = new HashMap<>(host.instances());
            instances.putIfAbsent(spec.instanceUuid(), new RunningInstance(spec.flavor().id(), null));
            joinedHost = host.toBuilder().instances(instances).build();
        }
        return new Consumption(joinedHost, spec.toBuilder().instanceGroup(joinedGroup).build());
    }
}
