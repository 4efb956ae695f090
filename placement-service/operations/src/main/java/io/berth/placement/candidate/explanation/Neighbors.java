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
 * Finds all providers that could serve a candidate that is anchored in a tree: the providers of the tree, and the
 * sharing providers of other trees.
 */
final class Neighbors {
    /** The sharing providers of each aggregate. */
    private final Map<UUID, List<Provider>> sharing = new HashMap<>();

    Neighbors(FleetView view) {
        SharingProviders.forEach(view, provider -> {
            for (UUID aggregate : provider.aggregates()) {
                sharing.computeIfAbsent(aggregate, made -> new ArrayList<>()).add(provider);
            }
        });
    }

    /** Returns the providers of the tree, the root first, and then the sharing providers of other trees, each once. */
    Provider[] of(ProviderTree tree) {
        Provider[] own = new Provider[tree.size()];
        Map<Long, Provider> visiting = sharing.isEmpty() ? Map.of() : new LinkedHashMap<>();
        for (int node = 0; node < own.length; node++) {
            own[node] = tree.node(node);
            for (int i = 0; !sharing.isEmpty() && i < own[node].aggregates().length; i++) {
                for (Provider other : sharing.getOrDefault(own[node].aggregates()[i], List.of())) {
                    if (other.rootId() != tree.root().id()) {
                        visiting.put(other.id(), other);
                    }
                }
            }
        }
        Provider[] all = Arrays.copyOf(own, own.length + visiting.size());
        int at = own.length;
        for (Provider other : visiting.values()) {
            all[at++] = other;
        }
        return all;
    }

    /** Returns the uuids of the aggregates in which a sharing provider has an inventory of the class. */
    Set<String> aggregatesSharing(int classId) {
        Set<String> aggregates = new TreeSet<>();
        sharing.forEach((aggregate, members) -> {
            if (members.stream().anyMatch(provider -> provider.inventories().find(classId) >= 0)) {
                aggregates.add(aggregate.toString());
            }
        });
        return aggregates;
    }
}
