package io.berth.placement.provider;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.index.Slots;
import io.berth.placement.http.ApiException;
import io.berth.placement.query.MemberOfParameter;
import io.berth.placement.query.RequiredParameter;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the providers that match a {@link ProviderQuery}. Each filter except {@code in_tree} applies to the provider
 * itself, not to its tree. If the query has a uuid or a name, the search checks only the provider that has it.
 * Otherwise it checks only the providers of the smallest set of trees that an index gives for one of the filters; if no
 * filter has an index, it checks all providers. Pure.
 *
 * <p>Source: upstream {@code objects/resource_provider.py}, get_all_by_filters. Unlike upstream, an unknown trait or
 * resource class is an error even if another filter matches nothing, except an {@code in_tree} that does not exist.
 */
final class ProviderSearch {
    /** The number of filters that cost as much as to visit a provider. */
    private static final int FILTERS_PER_PASS = 8;

    private final FleetView view;
    private final ProviderQuery query;
    private final List<Predicate<Provider>> filters = new ArrayList<>();
    /** The smallest set of trees that an index gives for one of the filters; null if no filter has an index. */
    private @Nullable Slots narrowest;

    /**
     * Prepares the search.
     *
     * @throws ApiException 400 if the query names a trait or resource class that does not exist
     */
    ProviderSearch(FleetView view, ProviderQuery query) {
        this.view = view;
        this.query = query;
        if (query.inTree() != null) {
            Provider member = KnownProvider.find(view, query.inTree());
            if (member == null) {
                filters.add(_ -> false);
                narrow(Slots.NONE);
                return;
            }
            filters.add(provider -> provider.rootId() == member.rootId());
            narrow(Slots.of(view.slotOf(member)));
        }
        if (query.name() != null) {
            filters.add(provider -> provider.name().equals(query.name()));
        }
        if (query.required() != null) {
            filterTraits(query.required());
        }
        if (query.resources() != null) {
            filterResources(query.resources());
        }
        if (query.memberOf() != null) {
            filterAggregates(query.memberOf());
        }
    }

    /**
     * Returns whether the search costs at most as much as a check of this number of providers with fewer than {@value
     * #FILTERS_PER_PASS} filters.
     */
    boolean costsAtMost(int providers) {
        int providersMax = providers / (1 + filters.size() / FILTERS_PER_PASS);
        return startingProviders().limit(providersMax + 1L).count() <= providersMax;
    }

    /** Returns the matching providers in the order of creation. */
    List<Provider> run() {
        return startingProviders().filter(provider -> filters.stream().allMatch(filter -> filter.test(provider)))
                .sorted(Comparator.comparingLong(Provider::id))
                .toList();
    }

    private void filterTraits(RequiredParameter traits) {
        for (Set<String> anyOf : traits.required()) {
            int[] ids = traitIds(anyOf);
            filters.add(provider -> provider.hasAny(ids));
            if (ids.length == 1) {
                narrow(view.slotsWithTrait(ids[0]));
            }
        }
        int[] forbidden = traitIds(traits.forbidden());
        filters.add(provider -> !provider.hasAny(forbidden));
    }

    private int[] traitIds(Collection<String> names) {
        return names.stream().mapToInt(name -> {
            NameCatalogue.Entry entry = view.traits().find(name);
            if (entry == null) {
                throw ApiException.badRequest(
                        "Invalid trait(s) in \"required\" parameter: No such trait(s): " + name + ".");
            }
            return entry.id();
        }).toArray();
    }

    private void filterResources(Map<String, Long> amounts) {
        amounts.forEach((name, amount) -> {
            NameCatalogue.Entry entry = view.resourceClasses().find(name);
            if (entry == null) {
                throw ApiException.badRequest(
                        "Invalid resource class in resources parameter: No such resource class " + name + ".");
            }
            filters.add(provider -> provider.inventories().fits(entry.id(), amount));
            narrow(view.slotsWithClass(entry.id()));
        });
    }

    private void filterAggregates(MemberOfParameter aggregates) {
        for (Set<UUID> set : aggregates.memberOf()) {
            UUID[] anyOf = set.toArray(UUID[]::new);
            filters.add(provider -> provider.isInAny(anyOf));
            if (anyOf.length == 1) {
                narrow(view.slotsInAggregate(anyOf[0]));
            }
        }
        UUID[] forbidden = aggregates.forbidden().toArray(UUID[]::new);
        filters.add(provider -> !provider.isInAny(forbidden));
    }

    private void narrow(Slots slots) {
        if (narrowest == null || slots.size() < narrowest.size()) {
            narrowest = slots;
        }
    }

    /** Returns the providers to check, which include all matching ones and are as few as the indexes allow. */
    private Stream<Provider> startingProviders() {
        if (query.uuid() != null) {
            return Stream.ofNullable(KnownProvider.find(view, query.uuid()));
        }
        if (query.name() != null) {
            return Stream.ofNullable(view.find(query.name()));
        }
        IntStream slots = narrowest == null
                ? IntStream.range(0, view.slotCount())
                : IntStream.range(0, narrowest.size()).map(narrowest::get);
        return slots.mapToObj(view::tree).filter(Objects::nonNull).flatMap(tree -> tree.nodes().stream());
    }
}
