package io.berth.scheduler.host.states;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.placement.RootCandidates;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The hosts of one provider tree: its registered compute nodes, or, where none of them is the root, a root that nobody
 * registered, unless all it does is share with others. Nodes come in the order in which the candidates name them, then
 * the others.
 */
final class TreeHosts {
    private final RootCandidates tree;
    /** The tree's providers, null for one that is no uuid; by the same positions their nodes, null for one without. */
    private final List<UUID> providers;
    private final List<ComputeNode> nodes;
    private final List<KnownHost> hosts;

    private TreeHosts(
            RootCandidates tree, List<UUID> providers, List<ComputeNode> nodes, List<KnownHost> hosts) {
        this.tree = tree;
        this.providers = providers;
        this.nodes = nodes;
        this.hosts = hosts;
    }

    static TreeHosts of(RootCandidates tree, HostSources sources, @Nullable RequestedDestination destination) {
        List<UUID> providers = new ArrayList<>(1);
        List<ComputeNode> nodes = new ArrayList<>(1);
        List<KnownHost> hosts = new ArrayList<>(1);
        TreeUse use = null;
        for (String name : providers(tree)) {
            UUID uuid = Uuids.find(name);
            ComputeNode node = sources.findNode(uuid);
            providers.add(uuid);
            nodes.add(node);
            boolean isHost = node == null ? isUnregisteredHost(name, tree) : sources.isInReach(node, destination);
            if (!isHost) {
                continue;
            }
            use = use == null ? TreeUse.of(tree.summaries()) : use;
            List<AllocationCandidate> candidates = KnownHost.candidates(name, tree);
            hosts.add(node == null
                    ? KnownHost.unregistered(name, candidates, use, sources)
                    : KnownHost.registered(name, node, candidates, use, sources));
        }
        return new TreeHosts(tree, providers, nodes, hosts);
    }

    RootCandidates tree() {
        return tree;
    }

    List<KnownHost> hosts() {
        return hosts;
    }

    /** The same hosts at a later moment, for the same tree and no destination; this object if nothing changed. */
    TreeHosts next(HostSources sources, HostSources.Changes changes) {
        if (changes.rarely() || (changes.nodes() && !hasNodesOf(sources))) {
            return of(tree, sources, null).sharing(hosts);
        }
        List<KnownHost> next = hosts;
        for (int i = 0; i < hosts.size(); i++) {
            KnownHost known = hosts.get(i);
            KnownHost now = known.next(sources, changes);
            if (now == null) {
                return of(tree, sources, null).sharing(hosts);
            }
            if (now != known) {
                next = next == hosts ? new ArrayList<>(hosts) : next;
                next.set(i, now);
            }
        }
        return next == hosts ? this : new TreeHosts(tree, providers, nodes, next);
    }

    private boolean hasNodesOf(HostSources sources) {
        for (int i = 0; i < nodes.size(); i++) {
            if (sources.findNode(providers.get(i)) != nodes.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the hosts are the same, state by state. */
    boolean hasStatesOf(TreeHosts other) {
        if (this == other) {
            return true;
        }
        if (hosts.size() != other.hosts.size()) {
            return false;
        }
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).state() != other.hosts.get(i).state()) {
                return false;
            }
        }
        return true;
    }

    /** A state that came out alike is the old one, so that what was found out about it holds. */
    private TreeHosts sharing(List<KnownHost> before) {
        for (int i = 0; i < hosts.size() && i < before.size(); i++) {
            hosts.set(i, hosts.get(i).sharing(before.get(i)));
        }
        return this;
    }

    /** A root that is a host although nobody registered it; its name must be asked for. */
    static boolean isUnregisteredHost(String uuid, RootCandidates tree) {
        if (!uuid.equals(tree.rootUuid())) {
            return false;
        }
        ProviderSummary root = tree.find(uuid);
        return root != null && root.isRoot() && !(root.sharing() && onlyShares(tree));
    }

    /** Whether no candidate uses the tree alone: whatever it gives goes to somebody else's. */
    private static boolean onlyShares(RootCandidates tree) {
        for (AllocationRequest request : tree.requests()) {
            if (tree.holdsAllOf(request)) {
                return false;
            }
        }
        return true;
    }

    private static Iterable<String> providers(RootCandidates tree) {
        List<ProviderSummary> summaries = tree.summaries();
        if (summaries.size() == 1) {
            return List.of(summaries.getFirst().uuid());
        }
        Set<String> all = new LinkedHashSet<>();
        summaries.forEach(summary -> all.add(summary.uuid()));
        Set<String> ordered = new LinkedHashSet<>();
        tree.requests().forEach(request -> request.allocations().keySet().forEach(provider -> {
            if (all.contains(provider)) {
                ordered.add(provider);
            }
        }));
        ordered.addAll(all);
        return ordered;
    }
}
