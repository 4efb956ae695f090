package io.berth.scheduler.host.states;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.RootCandidates;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The host states of one answer of placement, with the registry of the moment. Immutable; {@link #next} makes those of
 * the next answer to the same query and shares what did not change: same tree, same records, same state.
 *
 * <p>Hosts are the registered compute nodes among the summaries' providers, and every root provider that nobody
 * registered, unless all it does is share with others. They come in the order in which the candidates first name their
 * trees; those no candidate names come last. What is used of VCPU, MEMORY_MB and DISK_GB is placement's to say (summed
 * over the host's tree), for registered hosts too.
 * <br>Source: nova {@code scheduler/host_manager.py} (get_host_states_by_uuids).
 */
public final class HostStates {
    /** Nothing is known yet. */
    public static final HostStates NONE =
            new HostStates(HostSources.NONE, List.of(), List.of(), 0, 0);

    private final HostSources sources;
    private final List<TreeHosts> trees;
    private final List<HostState> states;
    private final int unregisteredCount;
    private final int unnamedCount;

    private HostStates(
            HostSources sources,
            List<TreeHosts> trees,
            List<HostState> states,
            int unregisteredCount,
            int unnamedCount) {
        this.sources = sources.toCompare();
        this.trees = trees;
        this.states = states;
        this.unregisteredCount = unregisteredCount;
        this.unnamedCount = unnamedCount;
    }

    /** @param destination null if the request names none; one that names a cell shares nothing */
    public static List<HostState> build(
            AllocationCandidates candidates,
            RegistrySnapshot registry,
            Map<String, String> namesByUuid,
            Duration serviceDownTime,
            @Nullable RequestedDestination destination) {
        return NONE.next(candidates, new HostSources(registry, namesByUuid, serviceDownTime), destination).states();
    }

    /** All registered hosts, without candidates: for requests that claim nothing. */
    public static List<HostState> registered(
            RegistrySnapshot registry, Duration serviceDownTime, @Nullable RequestedDestination destination) {
        var sources = new HostSources(registry, Map.of(), serviceDownTime);
        TreeUse none = TreeUse.of(List.of());
        return registry.listComputeNodes().stream()
                .filter(node -> sources.isInReach(node, destination))
                .map(node -> KnownHost.registered(node.uuid().toString(), node, List.of(), none, sources).state())
                .toList();
    }

    /** Hosts that nobody registered, without candidates: for requests that claim nothing. By provider uuid, their names. */
    public static List<HostState> unregistered(
            Map<String, String> namesByUuid, RegistrySnapshot registry, Duration serviceDownTime) {
        var sources = new HostSources(registry, namesByUuid, serviceDownTime);
        TreeUse none = TreeUse.of(List.of());
        return namesByUuid.keySet().stream()
                .filter(uuid -> sources.findNode(Uuids.find(uuid)) == null)
                .map(uuid -> KnownHost.unregistered(uuid, List.of(), none, sources).state())
                .toList();
    }

    /** The same host with its service as the registry has it now, if it has one. */
    public static HostState served(HostState host, RegistrySnapshot registry, Duration serviceDownTime) {
        HostState.Builder served = host.toBuilder();
        KnownHost.serve(served, host.host(), new HostSources(registry, Map.of(), serviceDownTime));
        return served.build();
    }

    /** Root providers that are hosts although nobody registered them; their names must be asked for. */
    public static Set<String> unregisteredRoots(AllocationCandidates candidates, RegistrySnapshot registry) {
        var sources = new HostSources(registry, Map.of(), Duration.ZERO);
        Set<String> roots = new LinkedHashSet<>();
        for (RootCandidates tree : candidates.roots()) {
            String root = tree.rootUuid();
            if (sources.findNode(Uuids.find(root)) == null && TreeHosts.isUnregisteredHost(root, tree)) {
                roots.add(root);
            }
        }
        return roots;
    }

    /** In the order that decides between equal weights. */
    public List<HostState> states() {
        return states;
    }

    /** Hosts that nobody registered. */
    public int unregisteredCount() {
        return unregisteredCount;
    }

    /** Those of them that have no name but their uuid. */
    public int unnamedCount() {
        return unnamedCount;
    }

    /** Root providers of the hosts that nobody registered. */
    public Set<String> unregistered() {
        Set<String> roots = HashSet.newHashSet(unregisteredCount);
        for (TreeHosts tree : trees) {
            for (KnownHost host : tree.hosts()) {
                if (host.node() == null) {
                    roots.add(host.state().uuid());
                }
            }
        }
        return roots;
    }

    /**
     * The host states of a later answer to the same query.
     *
     * @param destination null if the request names none; one that names a cell shares nothing
     */
    public HostStates next(
            AllocationCandidates candidates, HostSources now, @Nullable RequestedDestination destination) {
        boolean shares = destination == null || destination.cellUuid() == null;
        HostSources.Changes changes = now.since(sources);
        Known known = new Known(shares ? trees : List.of());
        List<TreeHosts> next = new ArrayList<>(candidates.roots().size());
        boolean statesUnchanged = shares && candidates.roots().size() == trees.size();
        for (RootCandidates root : candidates.roots()) {
            TreeHosts before = known.find(root, next.size());
            TreeHosts tree = before != null && before.tree() == root
                    ? before.next(now, changes)
                    : TreeHosts.of(root, now, destination);
            statesUnchanged = statesUnchanged && tree.hasStatesOf(trees.get(next.size()));
            next.add(tree);
        }
        return statesUnchanged && !changes.names()
                ? new HostStates(now, next, states, unregisteredCount, unnamedCount)
                : collected(next, now);
    }

    private static HostStates collected(List<TreeHosts> trees, HostSources sources) {
        var states = new ArrayList<HostState>(trees.size());
        int unregisteredCount = 0;
        int unnamedCount = 0;
        for (TreeHosts tree : trees) {
            for (KnownHost host : tree.hosts()) {
                states.add(host.state());
                unregisteredCount += host.node() == null ? 1 : 0;
                unnamedCount += host.named() ? 0 : 1;
            }
        }
        return new HostStates(sources, trees, List.copyOf(states), unregisteredCount, unnamedCount);
    }

    /** Trees of a later answer that are not as they were, so that their hosts must be made anew; counted up to max. */
    public int countNew(AllocationCandidates candidates, int max) {
        Known known = new Known(trees);
        int place = 0;
        int count = 0;
        for (RootCandidates root : candidates.roots()) {
            TreeHosts before = known.find(root, place++);
            count += before != null && before.tree() == root ? 0 : 1;
            if (count == max) {
                break;
            }
        }
        return count;
    }

    /** The trees of before, found by their place while the order is the same, else by their root. */
    private static final class Known {
        private final List<TreeHosts> trees;
        private Map<String, Integer> places;
        private int shift;

        Known(List<TreeHosts> trees) {
            this.trees = trees;
        }

        @Nullable TreeHosts find(RootCandidates root, int place) {
            if (trees.isEmpty()) {
                return null;
            }
            TreeHosts there = at(place + shift);
            if (there != null && (there.tree() == root || there.tree().rootUuid().equals(root.rootUuid()))) {
                return there;
            }
            if (places == null) {
                places = HashMap.newHashMap(trees.size());
                for (int i = 0; i < trees.size(); i++) {
                    places.put(trees.get(i).tree().rootUuid(), i);
                }
            }
            Integer before = places.get(root.rootUuid());
            if (before == null) {
                return null;
            }
            shift = before - place;
            return trees.get(before);
        }

        private @Nullable TreeHosts at(int place) {
            return place >= 0 && place < trees.size() ? trees.get(place) : null;
        }
    }
}
