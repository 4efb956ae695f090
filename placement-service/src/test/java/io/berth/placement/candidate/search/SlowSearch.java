package io.berth.placement.candidate.search;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.candidate.response.Found;
import io.berth.placement.candidate.search.FleetBuilder.Described;
import io.berth.placement.candidate.search.FleetBuilder.Stock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The brute-force search: it tries every provider of the fleet for each group, and for each class of the unsuffixed
 * group, then checks every rule, for every root as anchor. It knows nothing of views, slots or order. Lines are like
 * those of {@link Found}.
 */
public final class SlowSearch {
    private final FleetBuilder fleet;
    private final CandidateQuery query;
    private final TreeSet<String> lines = new TreeSet<>();
    private final TreeSet<String> anchors = new TreeSet<>();

    /** One choice to make. */
    private record Need(RequestGroup group, Map<String, Long> resources) {}

    private SlowSearch(FleetBuilder fleet, CandidateQuery query) {
        this.fleet = fleet;
        this.query = query;
    }

    static SortedSet<String> search(FleetBuilder fleet, CandidateQuery query) {
        return new SlowSearch(fleet, query).search().lines;
    }

    /** Names of the roots whose tree has a candidate. */
    public static SortedSet<String> anchors(FleetBuilder fleet, CandidateQuery query) {
        return new SlowSearch(fleet, query).search().anchors;
    }

    private SlowSearch search() {
        List<Need> needs = new ArrayList<>();
        for (RequestGroup group : query.groups()) {
            if (group.inTree() != null && fleet.providers().stream().noneMatch(p -> p.uuid().equals(group.inTree()))) {
                return this;
            }
            if (group.isSuffixed()) {
                if (group.resources().isEmpty() && group.required().isEmpty() && group.memberOf().isEmpty()) {
                    return this;
                }
                needs.add(new Need(group, group.resources()));
            } else {
                group.resources().forEach((name, amount) -> needs.add(new Need(group, Map.of(name, amount))));
            }
        }
        for (Described anchor : fleet.providers()) {
            if (anchor.parent == null
                    && anchor.traits.containsAll(query.rootRequired())
                    && query.rootForbidden().stream().noneMatch(anchor.traits::contains)
                    && fleet.providers().stream().filter(p -> p.root() == anchor)
                            .noneMatch(p -> query.withoutInventory().stream().anyMatch(p.stocks::containsKey))) {
                choose(anchor, needs, new ArrayList<>());
            }
        }
        return this;
    }

    private void choose(Described anchor, List<Need> needs, List<Described> chosen) {
        if (chosen.size() == needs.size()) {
            if (keepsRules(needs, chosen)) {
                anchors.add(anchor.name);
                lines.add(line(needs, chosen));
            }
            return;
        }
        Need need = needs.get(chosen.size());
        for (Described provider : fleet.providers()) {
            if (serves(provider, need, anchor)) {
                chosen.add(provider);
                choose(anchor, needs, chosen);
                chosen.removeLast();
            }
        }
    }

    private boolean serves(Described provider, Need need, Described anchor) {
        boolean own = provider.root() == anchor;
        boolean shares = provider.traits.contains(SharingProviders.TRAIT)
                && fleet.providers().stream().filter(p -> p.root() == anchor)
                        .anyMatch(p -> p.aggregates.stream().anyMatch(provider.aggregates::contains));
        RequestGroup group = need.group();
        if (!own && !shares || group.forbidden().stream().anyMatch(provider.traits::contains)) {
            return false;
        }
        for (var wanted : need.resources().entrySet()) {
            Stock stock = provider.stocks.get(wanted.getKey());
            long amount = wanted.getValue();
            if (stock == null || amount < stock.minUnit() || amount > stock.maxUnit() || amount % stock.stepSize() != 0
                    || stock.used() + amount > (stock.total() - stock.reserved()) * stock.ratio()) {
                return false;
            }
        }
        Described inTree =
                fleet.providers().stream().filter(p -> p.uuid().equals(group.inTree())).findFirst().orElse(null);
        if (group.isSuffixed()) {
            return (inTree == null || need.resources().isEmpty() || provider.root() == inTree.root())
                    && group.required().stream().allMatch(anyOf -> anyOf.stream().anyMatch(provider.traits::contains))
                    && isMember(provider, group)
                    && !isExcluded(provider, group);
        }
        return (inTree == null || own && anchor == inTree.root())
                && (isMember(provider, group) || own && isMember(anchor, group))
                && !isExcluded(provider, group)
                && !isExcluded(anchor, group);
    }

    private static boolean isMember(Described provider, RequestGroup group) {
        return group.memberOf().stream().allMatch(anyOf -> isInAny(provider, anyOf));
    }

    private static boolean isExcluded(Described provider, RequestGroup group) {
        return isInAny(provider, group.forbiddenAggregates());
    }

    private static boolean isInAny(Described provider, Set<UUID> aggregates) {
        return provider.aggregates.stream().map(FleetBuilder::uuidOf).anyMatch(aggregates::contains);
    }

    private boolean keepsRules(List<Need> needs, List<Described> chosen) {
        Set<String> together = new TreeSet<>();
        Map<String, Described> bySuffix = new HashMap<>();
        for (int i = 0; i < needs.size(); i++) {
            if (needs.get(i).group().isSuffixed()) {
                bySuffix.put(needs.get(i).group().suffix(), chosen.get(i));
            } else {
                together.addAll(chosen.get(i).traits);
            }
        }
        for (Need need : needs) {
            if (!need.group().isSuffixed()
                    && !need.group().required().stream()
                            .allMatch(anyOf -> anyOf.stream().anyMatch(together::contains))) {
                return false;
            }
        }
        if (query.groupPolicy() == CandidateQuery.GroupPolicy.ISOLATE
                && Set.copyOf(bySuffix.values()).size() < bySuffix.size()) {
            return false;
        }
        for (Set<String> suffixes : query.sameSubtrees()) {
            var members = suffixes.stream().map(bySuffix::get).toList();
            if (members.stream().noneMatch(top -> members.stream().allMatch(member -> isWithin(member, top)))) {
                return false;
            }
        }
        if (query.nesting() == CandidateQuery.Nesting.UNAWARE) {
            var distinct = Set.copyOf(chosen);
            if (distinct.stream().map(Described::root).distinct().count() < distinct.size()) {
                return false;
            }
        }
        for (var taken : sums(needs, chosen).entrySet()) {
            for (var amount : taken.getValue().entrySet()) {
                Stock stock = taken.getKey().stocks.get(amount.getKey());
                if (amount.getValue() > stock.maxUnit()
                        || stock.used() + amount.getValue() > (stock.total() - stock.reserved()) * stock.ratio()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isWithin(Described member, Described top) {
        return member == top || member.parent != null && isWithin(member.parent, top);
    }

    private static Map<Described, Map<String, Long>> sums(List<Need> needs, List<Described> chosen) {
        Map<Described, Map<String, Long>> sums = new LinkedHashMap<>();
        for (int i = 0; i < needs.size(); i++) {
            var ofProvider = sums.computeIfAbsent(chosen.get(i), p -> new TreeMap<>());
            needs.get(i).resources().forEach((name, amount) -> ofProvider.merge(name, amount, Long::sum));
        }
        return sums;
    }

    private static String line(List<Need> needs, List<Described> chosen) {
        var allocations = new TreeMap<String, String>();
        sums(needs, chosen).forEach((provider, amounts) -> {
            if (!amounts.isEmpty()) {
                StringBuilder text = new StringBuilder();
                amounts.forEach((name, amount) -> text.append(' ').append(name).append(':').append(amount));
                allocations.put(provider.name, text.toString());
            }
        });
        var parts = new ArrayList<String>();
        allocations.forEach((name, amounts) -> parts.add(name + amounts));
        var mappings = new TreeMap<String, TreeSet<String>>();
        for (int i = 0; i < needs.size(); i++) {
            mappings.computeIfAbsent(needs.get(i).group().suffix(), s -> new TreeSet<>()).add(chosen.get(i).name);
        }
        var mapped = new TreeSet<String>();
        mappings.forEach((suffix, names) -> mapped.add(" " + suffix + "=" + String.join("+", names)));
        return String.join(", ", parts) + " |" + String.join("", mapped);
    }
}
