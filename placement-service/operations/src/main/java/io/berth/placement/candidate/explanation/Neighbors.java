package io.berth.placement.candidate.explanation;

import io.berth.placement.candidate.search.SharingProviders;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Finds all providers from which a candidate of a tree could take resources: the providers of the tree, and the sharing
 * providers of other trees that have an aggregate in common with a provider of the tree.
 */
final class Neighbors {
    /** The sharing providers (with trait {@code MISC_SHARES_VIA_AGGREGATE}) of each aggregate, by its uuid. */
    private final Map<UUID, List<Provider>> sharingByAggregate = new HashMap<>();

    Neighbors(FleetView view) {
        SharingProviders.forEach(view, provider -> {
            for (UUID aggregate : provider.aggregates()) {
                sharingByAggregate.computeIfAbsent(aggregate, _ -> new ArrayList<>()).add(provider);
            }
        });
    }

    /**
     * Returns the providers of the tree, the root first, and then the sharing providers of other trees from which the
     * tree can take, each once.
     */
    Provider[] providersFor(ProviderTree tree) {
        Provider[] own = new Provider[tree.size()];
        Map<Long, Provider> sharingOfOtherTrees = sharingByAggregate.isEmpty() ? Map.of() : new LinkedHashMap<>();
        for (int node = 0; node < own.length; node++) {
            own[node] = tree.node(node);
            for (int i = 0; !sharingByAggregate.isEmpty() && i < own[node].aggregates().length; i++) {
                for (Provider other : sharingByAggregate.getOrDefault(own[node].aggregates()[i], List.of())) {
                    if (other.rootId() != tree.root().id()) {
                        sharingOfOtherTrees.put(other.id(), other);
                    }
                }
            }
        }
        Provider[] all = Arrays.copyOf(own, own.length + sharingOfOtherTrees.size());
        int next = own.length;
        for (Provider other : sharingOfOtherTrees.values()) {
            all[next++] = other;
        }
        return all;
    }

    /** Returns the uuids of the aggregates in which a sharing provider has an inventory of the class. */
    Set<String> aggregatesSharing(int classId) {
        Set<String> aggregates = new TreeSet<>();
        sharingByAggregate.forEach((aggregate, members) -> {
            if (members.stream().anyMatch(provider -> provider.inventories().find(classId) >= 0)) {
                aggregates.add(aggregate.toString());
            }
        });
        return aggregates;
    }
}
