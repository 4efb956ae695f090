package io.berth.scheduler.host;

import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Builds the host states of one request from placement's answer and the registry. Pure.
 *
 * <p>Hosts are the registered compute nodes among the summaries' providers, and every root provider that nobody
 * registered, unless all it does is share with others. They come in the order in which the candidates first name them;
 * those no candidate names come last. What is used of VCPU, MEMORY_MB and DISK_GB is placement's to say (summed over
 * the host's tree), for registered hosts too.
 * <br>Source: nova {@code scheduler/host_manager.py} (get_host_states_by_uuids).
 */
public final class HostStates {
    private static final long MIB_PER_GIB = 1024;

    private final AllocationCandidates candidates;
    private final RegistrySnapshot registry;
    private final Map<String, String> namesByUuid;
    private final Duration serviceDownTime;
    private final Map<String, List<AllocationCandidate>> candidatesByProvider = new LinkedHashMap<>();
    private final Map<String, TreeUse> useByRoot = new HashMap<>();

    private HostStates(
            AllocationCandidates candidates,
            RegistrySnapshot registry,
            Map<String, String> namesByUuid,
            Duration serviceDownTime) {
        this.candidates = candidates;
        this.registry = registry;
        this.namesByUuid = namesByUuid;
        this.serviceDownTime = serviceDownTime;
        indexCandidates();
        sumUse();
    }

    /**
     * @param namesByUuid names of the roots that nobody registered ({@link #unregisteredRoots}); one without a name
     *     is called by its uuid
     * @param serviceDownTime age of a heartbeat at which a service counts as down
     * @param destination null if the request names none
     */
    public static List<HostState> build(
            AllocationCandidates candidates,
            RegistrySnapshot registry,
            Map<String, String> namesByUuid,
            Duration serviceDownTime,
            @Nullable RequestedDestination destination) {
        return new HostStates(candidates, registry, namesByUuid, serviceDownTime).build(destination);
    }

    /** All registered hosts, without candidates: for requests that claim nothing. */
    public static List<HostState> registered(
            RegistrySnapshot registry, Duration serviceDownTime, @Nullable RequestedDestination destination) {
        var states = new HostStates(AllocationCandidates.NONE, registry, Map.of(), serviceDownTime);
        return registry.listComputeNodes().stream()
                .filter(node -> states.isInReach(node, destination))
                .map(node -> states.registered(node.uuid().toString(), node))
                .toList();
    }

    /** Root providers that are hosts although nobody registered them; their names must be asked for. */
    public static Set<String> unregisteredRoots(AllocationCandidates candidates, RegistrySnapshot registry) {
        Set<String> roots = new LinkedHashSet<>();
        Set<String> onlySharing = null;
        for (ProviderSummary summary : candidates.summaries().values()) {
            if (!summary.isRoot() || isRegistered(summary.uuid(), registry)) {
                continue;
            }
            if (summary.sharing()) {
                onlySharing = onlySharing == null ? rootsThatOnlyShare(candidates) : onlySharing;
                if (onlySharing.contains(summary.uuid())) {
                    continue;
                }
            }
            roots.add(summary.uuid());
        }
        return roots;
    }

    /** Sharing roots that no candidate uses alone: whatever they give goes to somebody else's tree. */
    private static Set<String> rootsThatOnlyShare(AllocationCandidates candidates) {
        Set<String> onlySharing = new HashSet<>();
        candidates.summaries().values().stream()
                .filter(summary -> summary.isRoot() && summary.sharing())
                .forEach(summary -> onlySharing.add(summary.uuid()));
        for (AllocationRequest request : candidates.requests()) {
            Set<String> roots = new HashSet<>();
            for (String provider : request.allocations().keySet()) {
                ProviderSummary summary = candidates.summaries().get(provider);
                roots.add(summary == null ? provider : summary.rootUuid());
            }
            if (roots.size() == 1) {
                onlySharing.removeAll(roots);
            }
        }
        return onlySharing;
    }

    private List<HostState> build(@Nullable RequestedDestination destination) {
        Set<String> unregistered = unregisteredRoots(candidates, registry);
        Set<String> ordered = new LinkedHashSet<>(candidatesByProvider.keySet());
        ordered.addAll(candidates.summaries().keySet());
        List<HostState> hosts = new ArrayList<>();
        for (String uuid : ordered) {
            ComputeNode node = candidates.summaries().containsKey(uuid) ? findNode(uuid, registry) : null;
            if (node != null && isInReach(node, destination)) {
                hosts.add(registered(uuid, node));
            } else if (node == null && unregistered.contains(uuid)) {
                hosts.add(unregistered(uuid));
            }
        }
        return hosts;
    }

    /** A named cell is read even if it is disabled, and alone unless the request may cross cells. */
    private boolean isInReach(ComputeNode node, @Nullable RequestedDestination destination) {
        String cell = node.cellUuid();
        if (destination != null && destination.cellUuid() != null && !destination.allowCrossCellMove()) {
            return destination.cellUuid().equals(cell);
        }
        UUID uuid = cell == null ? null : Uuids.find(cell);
        Cell known = uuid == null ? null : registry.findCell(uuid);
        return known == null || known.enabled();
    }

    private HostState registered(String uuid, ComputeNode node) {
        HostState reported = node.state();
        Map<String, RunningInstance> running = registry.instancesOn(node.host(), node.nodename());
        HostState.Builder host = reported.toBuilder()
                .uuid(uuid)
                .allocationCandidates(candidatesByProvider.getOrDefault(uuid, List.of()))
                .numInstances(Math.max(reported.numInstances(), running.size()));
        List<HostAggregate> aggregates = registry.aggregatesOf(node.host());
        if (!aggregates.isEmpty()) {
            host.aggregates(joined(reported.aggregates(), aggregates));
        }
        if (!running.isEmpty()) {
            host.instances(joined(reported.instances(), running));
        }
        ComputeService service = registry.findService(node.host());
        if (service != null) {
            host.service(new HostService(
                    service.disabled(),
                    service.disabledReason(),
                    service.isHeardOf(registry.asOf(), serviceDownTime),
                    service.forcedDown()));
        }
        TreeUse use = useByRoot.getOrDefault(uuid, TreeUse.NONE);
        use.applyTo(
                host,
                reported.vcpusTotal() > 0 ? reported.vcpusTotal() : use.vcpuCapacity,
                reported.totalUsableRamMb() > 0 ? reported.totalUsableRamMb() : use.ramCapacity,
                reported.totalUsableDiskGb() > 0 ? reported.totalUsableDiskGb() : use.diskCapacity);
        return host.build();
    }

    private HostState unregistered(String uuid) {
        String name = namesByUuid.getOrDefault(uuid, uuid);
        HostState.Builder host = HostState.named(name)
                .uuid(uuid)
                .allocationCandidates(candidatesByProvider.getOrDefault(uuid, List.of()))
                .aggregates(registry.aggregatesOf(name));
        Map<String, RunningInstance> running = registry.instancesOn(name, name);
        host.instances(running).numInstances(running.size());
        TreeUse use = useByRoot.getOrDefault(uuid, TreeUse.NONE);
        use.applyTo(host, use.vcpuCapacity, use.ramCapacity, use.diskCapacity);
        return host.build();
    }

    /** Every candidate is listed under each provider it uses, in placement's order. */
    private void indexCandidates() {
        for (AllocationRequest request : candidates.requests()) {
            AllocationCandidate candidate = new AllocationCandidate(request.allocations(), request.mappings());
            for (String provider : request.allocations().keySet()) {
                candidatesByProvider.computeIfAbsent(provider, made -> new ArrayList<>(1)).add(candidate);
            }
        }
    }

    private void sumUse() {
        for (ProviderSummary summary : candidates.summaries().values()) {
            TreeUse use = useByRoot.computeIfAbsent(summary.rootUuid(), made -> new TreeUse());
            summary.resources().forEach(use::add);
        }
    }

    private static boolean isRegistered(String uuid, RegistrySnapshot registry) {
        return findNode(uuid, registry) != null;
    }

    private static @Nullable ComputeNode findNode(String uuid, RegistrySnapshot registry) {
        UUID parsed = Uuids.find(uuid);
        return parsed == null ? null : registry.findComputeNode(parsed);
    }

    private static List<HostAggregate> joined(List<HostAggregate> some, List<HostAggregate> more) {
        if (some.isEmpty()) {
            return more;
        }
        List<HostAggregate> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static Map<String, RunningInstance> joined(
            Map<String, RunningInstance> some, Map<String, RunningInstance> more) {
        if (some.isEmpty()) {
            return more;
        }
        Map<String, RunningInstance> all = new LinkedHashMap<>(some);
        all.putAll(more);
        return all;
    }

    /** What a provider tree has and uses of the three classes host states count. */
    private static final class TreeUse {
        static final TreeUse NONE = new TreeUse();

        private boolean hasVcpu;
        private boolean hasRam;
        private boolean hasDisk;
        private long vcpuCapacity;
        private long vcpuUsed;
        private long ramCapacity;
        private long ramUsed;
        private long diskCapacity;
        private long diskUsed;

        void add(String resourceClass, ProviderSummary.Usage usage) {
            switch (resourceClass) {
                case "VCPU" -> {
                    hasVcpu = true;
                    vcpuCapacity += usage.capacity();
                    vcpuUsed += usage.used();
                }
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

        /** A class the tree does not have leaves what the host reported. */
        void applyTo(HostState.Builder host, long vcpus, long ramMb, long diskGb) {
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
}
