package io.berth.placement.candidate.search;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.fleet.index.Slots;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The sharing providers (those with the trait {@code MISC_SHARES_VIA_AGGREGATE}) that can serve at least one part of
 * one query. A sharing provider can serve every tree that has a provider in one of its aggregates. An instance belongs
 * to one search. Not thread-safe.
 */
public final class SharingProviders {
    static final String TRAIT = "MISC_SHARES_VIA_AGGREGATE";

    /** A sharing provider and the parts that it can serve. */
    static final class Sharing {
        Provider provider;
        /** By part, whether the provider can serve the part. */
        final boolean[] serves;
        /** The number of the last {@link #collect} that returned this provider. */
        private long lastCollection;

        Sharing(Provider provider, GroupPart[] parts) {
            this.serves = new boolean[parts.length];
            set(provider, parts);
        }

        private void set(Provider provider, GroupPart[] parts) {
            this.provider = provider;
            for (int part = 0; part < parts.length; part++) {
                serves[part] = parts[part].isServedBySharing(provider);
            }
        }
    }

    /** The approximate bytes of a {@link Sharing}, in addition to one byte for each part. */
    private static final int SHARING_BYTES = 64;

    private final int traitId;
    private final SearchMemory memory;
    private final Map<UUID, List<Sharing>> byAggregate = new HashMap<>();
    /** By part, whether any sharing provider can serve the part. */
    private final boolean[] partServed;
    /** The number of calls of {@link #collect}. */
    private long collections;

    private SharingProviders(int traitId, int partCount, SearchMemory memory) {
        this.traitId = traitId;
        this.memory = memory;
        this.partServed = new boolean[partCount];
    }

    /**
     * Finds the parts that each sharing provider of the fleet can serve. The result is incomplete if the memory is
     * spent.
     */
    static SharingProviders of(FleetView view, ResolvedQuery query, SearchMemory memory) {
        NameCatalogue.Entry trait = view.traits().find(TRAIT);
        SharingProviders all = new SharingProviders(trait == null ? -1 : trait.id(), query.parts().length, memory);
        forEach(view, provider -> all.add(provider, query.parts()));
        return all;
    }

    /** Calls {@code action} for every provider with the trait, even one without aggregates. */
    public static void forEach(FleetView view, Consumer<Provider> action) {
        NameCatalogue.Entry trait = view.traits().find(TRAIT);
        if (trait == null) {
            return;
        }
        Slots slots = view.slotsWithTrait(trait.id());
        for (int i = 0; i < slots.size(); i++) {
            for (Provider provider : view.tree(slots.get(i)).nodes()) {
                if (provider.hasTrait(trait.id())) {
                    action.accept(provider);
                }
            }
        }
    }

    /** Returns the number of trees that contain a provider with the trait. */
    static int treeCount(FleetView view) {
        NameCatalogue.Entry trait = view.traits().find(TRAIT);
        return trait == null ? 0 : view.slotsWithTrait(trait.id()).size();
    }

    /** Adds the provider if it is in an aggregate and can serve a part. */
    private void add(Provider provider, GroupPart[] parts) {
        if (provider.aggregates().length == 0 || memory.isSpent()) {
            return;
        }
        Sharing sharing = new Sharing(provider, parts);
        boolean servesAny = false;
        for (int part = 0; part < parts.length; part++) {
            partServed[part] |= sharing.serves[part];
            servesAny |= sharing.serves[part];
        }
        if (servesAny && memory.reserve(SHARING_BYTES + parts.length)) {
            for (UUID aggregate : provider.aggregates()) {
                byAggregate.computeIfAbsent(aggregate, key -> new ArrayList<>()).add(sharing);
            }
        }
    }

    /** Returns whether the provider has the trait and is in an aggregate. */
    boolean isSharing(Provider provider) {
        return provider.aggregates().length > 0 && provider.hasTrait(traitId);
    }

    boolean isEmpty() {
        return byAggregate.isEmpty();
    }

    /** Returns whether any sharing provider can serve the part with this index. */
    boolean canServe(int part) {
        return partServed[part];
    }

    /** Returns the aggregates with a sharing provider that can serve the part with this index. */
    Set<UUID> aggregatesServing(int part) {
        Set<UUID> aggregates = new HashSet<>();
        byAggregate.forEach((aggregate, members) -> {
            if (members.stream().anyMatch(sharing -> sharing.serves[part])) {
                aggregates.add(aggregate);
            }
        });
        return Collections.unmodifiableSet(aggregates);
    }

    /** Returns whether a sharing provider of another tree can serve a part of the query for this tree. */
    boolean reaches(ProviderTree tree) {
        for (int node = 0; !isEmpty() && node < tree.size(); node++) {
            for (UUID aggregate : tree.node(node).aggregates()) {
                for (Sharing sharing : byAggregate.getOrDefault(aggregate, List.of())) {
                    if (sharing.provider.rootId() != tree.root().id()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Replaces the state of a sharing provider that can serve a part; ignores any other provider. In the new state, the
     * provider must be in the same aggregates, and must not serve a part that it did not serve originally, because
     * {@link #canServe} and the index by aggregate are not updated.
     */
    void replace(Provider now, GroupPart[] parts) {
        for (UUID aggregate : now.aggregates()) {
            for (Sharing sharing : byAggregate.getOrDefault(aggregate, List.of())) {
                if (sharing.provider.id() == now.id()) {
                    sharing.set(now, parts);
                    return;
                }
            }
        }
    }

    /** Adds the sharing providers of other trees that can serve a part of the query for this tree, each once. */
    void collect(ProviderTree tree, List<Sharing> into) {
        // Marks a provider with the number of the call, not with the tree, because two calls in a row may be for the
        // same tree.
        collections++;
        for (int node = 0; node < tree.size(); node++) {
            for (UUID aggregate : tree.node(node).aggregates()) {
                for (Sharing sharing : byAggregate.getOrDefault(aggregate, List.of())) {
                    if (sharing.lastCollection != collections && sharing.provider.rootId() != tree.root().id()) {
                        sharing.lastCollection = collections;
                        into.add(sharing);
                    }
                }
            }
        }
    }
}
