package io.berth.placement.provider;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.fleet.Slots;
import io.berth.placement.query.UuidText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Finds the providers that a {@link ProviderQuery} asks for. Pure. Each filter looks at the provider itself, not at
 * its tree. Cost: the providers of the trees that the narrowest indexed filter leaves; all without one.
 *
 * <p>Source: upstream {@code objects/resource_provider.py}, get_all_by_filters. Unlike there, an unknown trait or class
 * is an error also when another filter leaves nothing (but for an unknown {@code in_tree}).
 */
final class ProviderSearch {
    /** What came of it. */
    sealed interface Result {
        /** By order of creation. */
        record Found(List<Provider> providers) implements Result {}

        record NoSuchTrait(String names) implements Result {}

        record NoSuchResourceClass(String name) implements Result {}
    }

    /** A resource class by id, and how much of it must fit. */
    private record Amount(int classId, long units) {}

    private static final Result NOTHING = new Result.Found(List.of());

    private final FleetView view;
    private final ProviderQuery query;
    private final List<int[]> anyOfTraits = new ArrayList<>();
    private final List<Integer> forbiddenTraits = new ArrayList<>();
    private final List<Amount> amounts = new ArrayList<>();
    private Provider inTree;

    private ProviderSearch(FleetView view, ProviderQuery query) {
        this.view = view;
        this.query = query;
    }

    static Result run(FleetView view, ProviderQuery query) {
        var search = new ProviderSearch(view, query);
        Result early = search.resolve();
        return early != null ? early : search.collect();
    }

    /** Names to ids; a result when the answer is known already, else null. */
    private Result resolve() {
        if (query.inTree() != null) {
            inTree = KnownProvider.find(view, query.inTree());
            if (inTree == null) {
                return NOTHING;
            }
        }
        if (query.required() != null) {
            Result early = resolveTraits();
            if (early != null) {
                return early;
            }
        }
        if (query.resources() != null) {
            for (Map.Entry<String, Long> resource : query.resources().entrySet()) {
                NameCatalogue.Entry known = view.resourceClasses().find(resource.getKey());
                if (known == null) {
                    return new Result.NoSuchResourceClass(resource.getKey());
                }
                amounts.add(new Amount(known.id(), resource.getValue()));
            }
        }
        return null;
    }

    private Result resolveTraits() {
        for (Set<String> anyOf : query.required().required()) {
            int[] ids = new int[anyOf.size()];
            int n = 0;
            for (String name : anyOf) {
                NameCatalogue.Entry known = view.traits().find(name);
                if (known == null) {
                    return new Result.NoSuchTrait(name);
                }
                ids[n++] = known.id();
            }
            anyOfTraits.add(ids);
        }
        for (String name : query.required().forbidden()) {
            NameCatalogue.Entry known = view.traits().find(name);
            if (known == null) {
                return new Result.NoSuchTrait(name);
            }
            forbiddenTraits.add(known.id());
        }
        return null;
    }

    private Result collect() {
        List<Provider> found = new ArrayList<>();
        for (Provider provider : start()) {
            if (matches(provider)) {
                found.add(provider);
            }
        }
        found.sort(Comparator.comparingLong(Provider::id));
        return new Result.Found(found);
    }

    private boolean matches(Provider provider) {
        return (query.name() == null || provider.name().equals(query.name()))
                && (query.uuid() == null || provider.uuid().toString().equals(query.uuid()))
                && (inTree == null || provider.rootId() == inTree.rootId())
                && hasRequired(provider)
                && hasNoneForbidden(provider)
                && isMember(provider)
                && hasRoom(provider);
    }

    private boolean hasRequired(Provider provider) {
        for (int[] anyOf : anyOfTraits) {
            boolean has = false;
            for (int traitId : anyOf) {
                has |= provider.hasTrait(traitId);
            }
            if (!has) {
                return false;
            }
        }
        return true;
    }

    private boolean hasNoneForbidden(Provider provider) {
        for (int traitId : forbiddenTraits) {
            if (provider.hasTrait(traitId)) {
                return false;
            }
        }
        if (query.memberOf() != null) {
            for (UUID aggregate : query.memberOf().forbidden()) {
                if (provider.isIn(aggregate)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isMember(Provider provider) {
        if (query.memberOf() == null) {
            return true;
        }
        for (Set<UUID> anyOf : query.memberOf().memberOf()) {
            boolean isIn = false;
            for (UUID aggregate : anyOf) {
                isIn |= provider.isIn(aggregate);
            }
            if (!isIn) {
                return false;
            }
        }
        return true;
    }

    private boolean hasRoom(Provider provider) {
        for (Amount amount : amounts) {
            int position = provider.inventories().find(amount.classId());
            if (position < 0 || !provider.inventories().fits(position, amount.units())) {
                return false;
            }
        }
        return true;
    }

    /** A superset of what matches, as small as the indexes know it, in no order. */
    private Collection<Provider> start() {
        if (query.uuid() != null) {
            return present(UuidText.parseCanonical(query.uuid()), view::find);
        }
        if (query.name() != null) {
            return present(query.name(), view::find);
        }
        return narrowest(inTree);
    }

    private static <K> Collection<Provider> present(K key, Function<K, Provider> find) {
        Provider provider = key == null ? null : find.apply(key);
        return provider == null ? List.of() : List.of(provider);
    }

    private Collection<Provider> narrowest(Provider treeMember) {
        List<Provider> members = new ArrayList<>();
        if (treeMember != null) {
            add(view.treeOf(treeMember), members);
            return members;
        }
        Slots narrowest = null;
        for (int[] anyOf : anyOfTraits) {
            if (anyOf.length == 1) {
                narrowest = narrower(narrowest, view.slotsWithTrait(anyOf[0]));
            }
        }
        for (Amount amount : amounts) {
            narrowest = narrower(narrowest, view.slotsWithClass(amount.classId()));
        }
        if (query.memberOf() != null) {
            for (Set<UUID> anyOf : query.memberOf().memberOf()) {
                if (anyOf.size() == 1) {
                    narrowest = narrower(narrowest, view.slotsInAggregate(anyOf.iterator().next()));
                }
            }
        }
        if (narrowest == null) {
            return view.listProviders();
        }
        for (int i = 0; i < narrowest.size(); i++) {
            add(view.tree(narrowest.get(i)), members);
        }
        return members;
    }

    private static Slots narrower(Slots a, Slots b) {
        return a == null || b.size() < a.size() ? b : a;
    }

    private static void add(ProviderTree tree, List<Provider> members) {
        for (int i = 0; i < tree.size(); i++) {
            members.add(tree.node(i));
        }
    }
}
