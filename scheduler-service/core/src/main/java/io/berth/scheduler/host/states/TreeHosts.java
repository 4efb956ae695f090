package io.berth.scheduler.host.states;

import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.states.RegistryMarks.Mark;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The hosts of one provider tree, cached for all requests: the registered compute nodes among its providers, and its
 * root, even if the root is not registered. Valid while the registered data about the hosts, the state of their
 * services and their names do not change ({@link #areCurrent}).
 */
final class TreeHosts {
    /** The hosts in the order of the tree's providers. */
    private final List<KnownHost> hosts;
    private final RegistryMarks registryMarks;
    /** The marks of the registered data from which the hosts were built. */
    private final Mark[] marks;
    /** Number of the registry snapshot from which the hosts were built. */
    private final long snapshotNumber;
    /** The names of root providers with which the hosts were built, or a later map with equal names for these hosts. */
    private volatile Map<String, String> names;

    private TreeHosts(
            List<KnownHost> hosts, RegistryMarks registryMarks, Mark[] marks, HostSources sources) {
        this.hosts = List.copyOf(hosts);
        this.registryMarks = registryMarks;
        this.marks = marks;
        this.snapshotNumber = sources.registry().number();
        this.names = sources.namesByUuid();
    }

    /**
     * Builds the hosts of a tree.
     *
     * @param before earlier hosts of the same tree, whose equal facts are reused; null if there are none
     */
    static TreeHosts of(
            ProviderTree tree, HostSources sources, RegistryMarks registryMarks, @Nullable TreeHosts before) {
        List<ProviderSummary> providers = tree.summaries();
        List<KnownHost> hosts = new ArrayList<>(1);
        List<Mark> marks = new ArrayList<>(providers.size() + 1);
        marks.add(registryMarks.ofAll());
        TreeUse use = null;
        for (ProviderSummary provider : providers) {
            UUID uuid = Uuids.find(provider.uuid());
            ComputeNode node = sources.findNode(uuid);
            if (uuid != null) {
                marks.add(registryMarks.of(node == null ? uuid : node.uuid()));
            }
            if (node == null && !isRoot(provider, tree)) {
                continue;
            }
            use = use == null ? TreeUse.of(providers) : use;
            KnownHost host = node == null
                    ? KnownHost.unregistered(provider.uuid(), use, sources)
                    : KnownHost.registered(provider.uuid(), node, use, tree.claims(), sources);
            if (node == null) {
                marks.add(registryMarks.of(host.facts().host()));
            }
            hosts.add(
                    before != null && hosts.size() < before.hosts.size()
                            ? host.reusingFactsOf(before.hosts.get(hosts.size()))
                            : host);
        }
        return new TreeHosts(hosts, registryMarks, marks.toArray(Mark[]::new), sources);
    }

    private static boolean isRoot(ProviderSummary provider, ProviderTree tree) {
        return provider.isRoot() && provider.uuid().equals(tree.rootUuid());
    }

    /** Returns whether the hosts were built with these marks. */
    boolean isOf(RegistryMarks other) {
        return registryMarks == other;
    }

    /** Returns whether the hosts were built from the same or an earlier registry snapshot than {@code other}. */
    boolean isNotAfter(TreeHosts other) {
        return snapshotNumber <= other.snapshotNumber;
    }

    /** Returns whether these hosts are valid for this data: no mark, state of a service, or name has changed. */
    boolean areCurrent(HostSources sources) {
        long number = sources.registry().number();
        for (Mark mark : marks) {
            if (!mark.isUnchangedBetween(snapshotNumber, number)) {
                return false;
            }
        }
        boolean hasSameNames = names == sources.namesByUuid();
        // An indexed loop, because creating an iterator costs more than the checks of so few hosts.
        for (int i = 0; i < hosts.size(); i++) {
            KnownHost host = hosts.get(i);
            if (!host.hasCurrentService(sources) || !(hasSameNames || host.hasCurrentName(sources))) {
                return false;
            }
        }
        if (!hasSameNames) {
            names = sources.namesByUuid();
        }
        return true;
    }

    /**
     * Returns the hosts in the order in which the tree's allocation requests name them, then the hosts that no request
     * names.
     *
     * @param position index of the tree in the response
     */
    List<KnownHost> inOrder(AllocationCandidates response, int position) {
        // If the only request allocates all from the root, the order of the providers is right: the root is first.
        if (hosts.size() <= 1 || response.isFromRoot(position)) {
            return hosts;
        }
        Map<String, Integer> positions = new LinkedHashMap<>();
        response.requests(position).list().forEach(request -> request.allocations().keySet()
                .forEach(provider -> positions.putIfAbsent(provider, positions.size())));
        return hosts.stream()
                .sorted(Comparator.comparingInt(host -> positions.getOrDefault(host.uuid(), positions.size())))
                .toList();
    }

    /**
     * Returns whether the host is a root provider that is not registered and only shares its inventories with other
     * trees; such a root is no compute host.
     */
    static boolean onlyShares(KnownHost host, AllocationCandidates response, int position) {
        return host.node() == null
                && !response.isFromRoot(position)
                && onlyShares(host.uuid(), response, position);
    }

    private static boolean onlyShares(String root, AllocationCandidates response, int position) {
        ProviderTree tree = response.tree(position);
        ProviderSummary summary = tree.find(root);
        if (summary == null || !summary.sharing()) {
            return false;
        }
        for (AllocationRequest request : response.requests(position).list()) {
            if (tree.holdsAllOf(request)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the root of a tree, if it is not registered, is a host. It is no host if it only shares its
     * inventories with other trees.
     */
    static boolean isUnregisteredHost(AllocationCandidates response, int position) {
        ProviderTree tree = response.tree(position);
        ProviderSummary root = tree.find(tree.rootUuid());
        return root != null && root.isRoot() && !onlyShares(tree.rootUuid(), response, position);
    }
}
