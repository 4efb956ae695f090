package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.text.NoHostSentence;
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
 * The hosts of one response of placement, as filters and weighers see them. Immutable.
 *
 * <p>Hosts are the registered compute nodes among the providers of the response that the request may use
 * ({@link HostSources#isInReach}). If nova does not own the hosts, every root provider that is not registered is a
 * host, too, unless it only shares its inventories with other trees. Hosts are in the order in which the candidates
 * first name their trees; trees without a candidate come last.
 *
 * <p>The usage of VCPU, MEMORY_MB and DISK_GB is placement's, summed over the host's tree. If nova owns the hosts, the
 * higher of placement's and the host's reported usage counts. A class that the tree does not have keeps the reported
 * values.
 * <br>Source: nova {@code scheduler/host_manager.py} (get_host_states_by_uuids).
 *
 * @param states hosts; the order decides between hosts of equal weight
 * @param unregistered uuids of the root providers that are hosts without being registered
 * @param unnamedCount number of hosts that are not registered and are named by their uuid, because placement's name is
 *     unknown
 */
public record HostStates(List<HostState> states, List<String> unregistered, int unnamedCount) {
    /**
     * Builds the hosts of a response without a cache.
     *
     * @param namesByUuid names of root providers that are not registered, as far as known
     * @param serviceDownTime maximum age of the last heartbeat of a service that is up
     * @param destination the destination that the request names; null for none
     */
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

    /** Returns all registered hosts that a request may use, without candidates, for requests that claim nothing. */
    public static List<HostState> registered(
            RegistrySnapshot registry, Duration serviceDownTime, @Nullable RequestedDestination destination) {
        var sources = new HostSources(registry, Map.of(), serviceDownTime);
        TreeUse noUse = TreeUse.of(List.of());
        return registry.listComputeNodes().stream()
                .filter(node -> sources.isInReach(node, destination))
                .map(node -> KnownHost.registered(node.uuid().toString(), node, noUse, 0, sources).with(List.of()))
                .toList();
    }

    /**
     * Returns hosts that are not registered, without candidates, for requests that claim nothing. Empty if the registry
     * lists all hosts.
     *
     * @param namesByUuid names of the root providers, by uuid; registered ones are ignored
     */
    public static List<HostState> unregistered(
            Map<String, String> namesByUuid, RegistrySnapshot registry, Duration serviceDownTime) {
        var sources = new HostSources(registry, namesByUuid, serviceDownTime);
        TreeUse noUse = TreeUse.of(List.of());
        return namesByUuid.keySet().stream()
                .filter(uuid -> sources.findNode(Uuids.find(uuid)) == null)
                .map(uuid -> KnownHost.unregistered(uuid, noUse, sources))
                .filter(host -> host.isInReach(sources, null))
                .map(host -> host.with(List.of()))
                .toList();
    }

    /** Returns the host with the state of its service in this registry; unchanged if the host has no service. */
    public static HostState withCurrentService(HostState host, RegistrySnapshot registry, Duration serviceDownTime) {
        HostState.Builder served = host.toBuilder();
        KnownHost.setService(served, host.host(), new HostSources(registry, Map.of(), serviceDownTime));
        return served.build();
    }

    /** Returns the root providers that are hosts without being registered, whose names must be queried. */
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
     * Returns a sentence that explains why a request may use no compute node of a response with candidates: it counts
     * the registered nodes that the request may not use, by reason. Null if there are none.
     */
    public static @Nullable String explainNoUsableNode(
            AllocationCandidates candidates, RegistrySnapshot registry, @Nullable RequestedDestination destination) {
        var sources = new HostSources(registry, Map.of(), Duration.ZERO);
        Map<String, Long> removed = new LinkedHashMap<>();
        for (int i = 0; i < candidates.treeCount(); i++) {
            for (ProviderSummary provider : candidates.tree(i).summaries()) {
                ComputeNode node = sources.findNode(Uuids.find(provider.uuid()));
                if (node != null && !sources.isInReach(node, destination)) {
                    removed.merge(sources.reasonOutOfReach(node, destination), 1L, Long::sum);
                }
            }
        }
        List<NoHostSentence.Removed> stages =
                removed.entrySet().stream().map(each -> new NoHostSentence.Removed(each.getKey(), each.getValue()))
                        .toList();
        long hosts = removed.values().stream().mapToLong(Long::longValue).sum();
        return hosts == 0 ? null : NoHostSentence.sentence(hosts, stages, "");
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

        /**
         * Adds the hosts of a tree.
         *
         * @param position index of the tree in the response
         */
        void add(TreeHosts hosts, int position) {
            for (KnownHost host : hosts.inOrder(candidates, position)) {
                if (!host.isInReach(sources, destination) || TreeHosts.onlyShares(host, candidates, position)) {
                    continue;
                }
                String uuid = host.uuid();
                states.add(host.with(
                        candidates.takesFrom(position, uuid)
                                ? new HostCandidates(candidates, position, uuid)
                                : List.of()));
                if (host.node() == null) {
                    unregistered.add(uuid);
                    unnamedCount += host.hasKnownName() ? 0 : 1;
                }
            }
        }

        HostStates collected() {
            return new HostStates(Collections.unmodifiableList(states), unregistered, unnamedCount);
        }
    }
}
