package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.text.NoneWillDo;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The host states of one response of placement, with the current registry. Immutable.
 *
 * <p>Hosts are the registered compute nodes among the summaries' providers, and every root provider that is not
 * registered, unless it only shares its inventories with other trees. They are in the order in which the candidates
 * first name their trees; trees without a candidate come last. The usage of VCPU, MEMORY_MB and DISK_GB comes from
 * placement (summed over the host's tree), for registered hosts too; with nova's databases the host's reported usage
 * counts if it is higher.
 * <br>Source: nova {@code scheduler/host_manager.py} (get_host_states_by_uuids).
 *
 * @param states in the order that decides between equal weights
 * @param unregistered root providers of the hosts that are not registered
 * @param unnamedCount how many of them have only their uuid as a name
 */
public record HostStates(List<HostState> states, List<String> unregistered, int unnamedCount) {
    /** @param destination null if the request names none */
    public static List<HostState> build(
            AllocationCandidates candidates,
            RegistrySnapshot registry,
            Map<String, String> namesByUuid,
            Duration serviceDownTime,
            @Nullable RequestedDestination destination) {
        var sources = new HostSources(registry, namesByUuid, serviceDownTime);
        var marks = new RegistryMarks();
        var collector = new Collector(candidates, sources, destination);
        for (int i = 0; i < candidates.treeCount(); i++) {
            collector.add(TreeHosts.of(candidates.tree(i), sources, marks, null), i);
        }
        return collector.collected().states();
    }

    /** Returns all registered hosts, without candidates, for requests that claim nothing. */
    public static List<HostState> registered(
            RegistrySnapshot registry, Duration serviceDownTime, @Nullable RequestedDestination destination) {
        var sources = new HostSources(registry, Map.of(), serviceDownTime);
        TreeUse none = TreeUse.of(List.of());
        return registry.listComputeNodes().stream()
                .filter(node -> sources.isInReach(node, destination))
                .map(node -> KnownHost.registered(node.uuid().toString(), node, none, 0, sources).with(List.of()))
                .toList();
    }

    /**
     * Returns hosts that are not registered, without candidates, for requests that claim nothing. Takes their names
     * by provider uuid. Empty if the registry lists all hosts.
     */
    public static List<HostState> unregistered(
            Map<String, String> namesByUuid, RegistrySnapshot registry, Duration serviceDownTime) {
        var sources = new HostSources(registry, namesByUuid, serviceDownTime);
        TreeUse none = TreeUse.of(List.of());
        return namesByUuid.keySet().stream()
                .filter(uuid -> sources.findNode(Uuids.find(uuid)) == null)
                .map(uuid -> KnownHost.unregistered(uuid, none, sources))
                .filter(host -> host.isInReach(sources, null))
                .map(host -> host.with(List.of()))
                .toList();
    }

    /** Returns the same host with its service as in the registry now, if it has one. */
    public static HostState served(HostState host, RegistrySnapshot registry, Duration serviceDownTime) {
        HostState.Builder served = host.toBuilder();
        KnownHost.serve(served, host.host(), new HostSources(registry, Map.of(), serviceDownTime));
        return served.build();
    }

    /** Returns root providers that are hosts although they are not registered; their names must be queried. */
    public static Set<String> unregisteredRoots(AllocationCandidates candidates, RegistrySnapshot registry) {
        var sources = new HostSources(registry, Map.of(), Duration.ZERO);
        Set<String> roots = new LinkedHashSet<>();
        for (int i = 0; i < candidates.treeCount(); i++) {
            String root = candidates.tree(i).rootUuid();
            if (sources.findNode(Uuids.find(root)) == null && TreeHosts.isUnregisteredHost(candidates, i)) {
                roots.add(root);
            }
        }
        return roots;
    }

    /**
     * Returns a sentence on why a response with candidates has no host; null if none of its trees is a registered
     * host's.
     */
    public static @Nullable String whyNone(
            AllocationCandidates candidates, RegistrySnapshot registry, @Nullable RequestedDestination destination) {
        var sources = new HostSources(registry, Map.of(), Duration.ZERO);
        Map<String, Long> removed = new LinkedHashMap<>();
        for (int i = 0; i < candidates.treeCount(); i++) {
            for (ProviderSummary provider : candidates.tree(i).summaries()) {
                ComputeNode node = sources.findNode(Uuids.find(provider.uuid()));
                if (node != null && !sources.isInReach(node, destination)) {
                    removed.merge(sources.obstacle(node, destination), 1L, Long::sum);
                }
            }
        }
        List<NoneWillDo.Removed> stages =
                removed.entrySet().stream().map(each -> new NoneWillDo.Removed(each.getKey(), each.getValue())).toList();
        long hosts = removed.values().stream().mapToLong(Long::longValue).sum();
        return hosts == 0 ? null : NoneWillDo.sentence(hosts, stages, "");
    }

    /** Collects the hosts of a response, tree by tree. */
    static final class Collector {
        private final AllocationCandidates candidates;
        private final HostSources sources;
        private final @Nullable RequestedDestination destination;
        private final List<HostState> states;
        private final List<String> unregistered = new ArrayList<>();
        private int unnamedCount;

        Collector(
                AllocationCandidates candidates, HostSources sources, @Nullable RequestedDestination destination) {
            this.candidates = candidates;
            this.sources = sources;
            this.destination = destination;
            this.states = new ArrayList<>(candidates.treeCount());
        }

        /** @param position of the hosts' tree */
        void add(TreeHosts hosts, int position) {
            for (KnownHost host : hosts.in(candidates, position)) {
                if (!host.isInReach(sources, destination) || TreeHosts.onlyShares(host, candidates, position)) {
                    continue;
                }
                String uuid = host.facts().uuid();
                states.add(host.with(
                        candidates.takesFrom(position, uuid) ? new Offered(candidates, position, uuid) : List.of()));
                if (host.node() == null) {
                    unregistered.add(uuid);
                    unnamedCount += host.named() ? 0 : 1;
                }
            }
        }

        HostStates collected() {
            return new HostStates(Collections.unmodifiableList(states), unregistered, unnamedCount);
        }
    }
}
