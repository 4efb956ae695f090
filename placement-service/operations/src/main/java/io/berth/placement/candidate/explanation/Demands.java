package io.berth.placement.candidate.explanation;

import io.berth.model.Maps;
import io.berth.placement.candidate.explanation.Demand.Kind;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQuery.GroupPolicy;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.candidate.search.ResolvedGroup;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The demands of a query, each with an index, and the queries that remain if some demands are dropped. Explanations
 * count the trees that remain after each demand, in the order of the indexes:
 * <ol>
 * <li>conditions on the providers of groups;
 * <li>conditions on the root and the tree: later, so that a host that is excluded only by a trait of its root, as that
 * of a disabled compute service, still counts at all conditions before;
 * <li>amounts: after all conditions, so that a full host is distinguished from an unsuitable one;
 * <li>rules for several groups.
 * </ol>
 */
final class Demands {
    private static final int[] NO_PARTS = {};

    private final FleetView view;
    private final CandidateQuery query;
    /** The demands by index. */
    private final List<Demand> demands = new ArrayList<>();
    /** The indexes of the demands of each group, by the group's suffix. */
    private final Map<String, BitSet> byGroup = new LinkedHashMap<>();

    /** @param query the query; all resource classes and traits in it must exist in the view */
    Demands(FleetView view, CandidateQuery query) {
        this.view = view;
        this.query = query;
        List<Demand> amounts = new ArrayList<>();
        int part = 0;
        for (RequestGroup group : query.groups()) {
            int count = group.isSuffixed() ? 1 : group.resources().size();
            addConditions(group, IntStream.range(part, part + count).toArray());
            int partOfAmount = part;
            for (var resource : group.resources().entrySet()) {
                amounts.add(demand(
                        Kind.AMOUNT, "resources", resource.getKey() + ":" + resource.getValue(),
                        List.of(resource.getKey()), groupWith(group, Map.of(resource.getKey(), resource.getValue())),
                        new int[] {partOfAmount}));
                partOfAmount += group.isSuffixed() ? 0 : 1;
            }
            part += count;
        }
        for (String name : new TreeSet<>(query.rootRequired())) {
            demands.add(rootDemand(Kind.ROOT_REQUIRED, name, groupWith("", List.of(Set.of(name)), Set.of())));
        }
        for (String name : new TreeSet<>(query.rootForbidden())) {
            demands.add(rootDemand(Kind.ROOT_FORBIDDEN, "!" + name, groupWith("", List.of(), Set.of(name))));
        }
        for (String name : new TreeSet<>(query.withoutInventory())) {
            demands.add(new Demand(
                    Kind.WITHOUT_INVENTORY, "", CandidateQueryParser.WITHOUT_INVENTORY, name, null, List.of(name),
                    groupPart(new RequestGroup("", Map.of(name, 1L), List.of(), Set.of(), List.of(), Set.of(), null)),
                    NO_PARTS));
        }
        demands.addAll(amounts);
        addRules();
        query.groups().forEach(group -> byGroup.put(group.suffix(), new BitSet()));
        for (int i = 0; i < demands.size(); i++) {
            if (demands.get(i).condition() != null) {
                indexesOfGroup(demands.get(i).suffix()).set(i);
            }
        }
    }

    private void addConditions(RequestGroup group, int[] parts) {
        String suffix = group.suffix();
        if (group.inTree() != null) {
            String uuid = group.inTree().toString();
            demands.add(demand(Kind.IN_TREE, "in_tree", uuid, List.of(uuid),
                    new RequestGroup(suffix, Map.of(), List.of(), Set.of(), List.of(), Set.of(), group.inTree()),
                    parts));
        }
        for (Set<UUID> anyOf : new LinkedHashSet<>(group.memberOf())) {
            List<String> names = sorted(anyOf);
            demands.add(demand(Kind.MEMBER_OF, "member_of", "in:" + String.join(",", names), names,
                    new RequestGroup(suffix, Map.of(), List.of(), Set.of(), List.of(anyOf), Set.of(), null), parts));
        }
        if (!group.forbiddenAggregates().isEmpty()) {
            List<String> names = sorted(group.forbiddenAggregates());
            demands.add(demand(Kind.NOT_MEMBER_OF, "member_of", "!in:" + String.join(",", names), forbidden(names),
                    new RequestGroup(
                            suffix, Map.of(), List.of(), Set.of(), List.of(), group.forbiddenAggregates(), null),
                    parts));
        }
        for (Set<String> anyOf : new LinkedHashSet<>(group.required())) {
            List<String> names = sorted(anyOf);
            demands.add(demand(Kind.REQUIRED, "required", (anyOf.size() > 1 ? "in:" : "") + String.join(",", names),
                    names, groupWith(suffix, List.of(anyOf), Set.of()), parts));
        }
        for (String name : new TreeSet<>(group.forbidden())) {
            demands.add(demand(Kind.FORBIDDEN, "required", "!" + name, List.of("!" + name),
                    groupWith(suffix, List.of(), Set.of(name)), parts));
        }
    }

    private void addRules() {
        if (query.groupPolicy() == GroupPolicy.ISOLATE && isolation(query.groups()) == GroupPolicy.ISOLATE) {
            demands.add(new Demand(Kind.ISOLATE, "", "group_policy", "isolate", null, List.of(), null, NO_PARTS));
        }
        for (Set<String> suffixes : new LinkedHashSet<>(query.sameSubtrees())) {
            if (suffixes.size() > 1) {
                List<String> names = sorted(suffixes);
                demands.add(new Demand(
                        Kind.SAME_SUBTREE, "", "same_subtree", String.join(",", names), null, names, null, NO_PARTS));
            }
        }
    }

    private Demand demand(
            Kind kind, String parameter, String value, List<String> names, RequestGroup condition, int[] parts) {
        return new Demand(
                kind, condition.suffix(), parameter + condition.suffix(), value, condition, names, groupPart(condition),
                parts);
    }

    private Demand rootDemand(Kind kind, String value, RequestGroup condition) {
        return new Demand(kind, "", "root_required", value, null, List.of(value), groupPart(condition), NO_PARTS);
    }

    private GroupPart groupPart(RequestGroup condition) {
        int[] classIds = condition.resources().keySet().stream()
                .mapToInt(name -> view.resourceClasses().get(name).id())
                .toArray();
        long[] amounts = condition.resources().values().stream().mapToLong(Long::longValue).toArray();
        return new GroupPart(
                new ResolvedGroup(
                        condition.suffix(), classIds, amounts,
                        condition.required().stream().map(this::traitIds).toArray(int[][]::new),
                        traitIds(condition.forbidden()),
                        condition.memberOf().stream().map(set -> set.toArray(UUID[]::new)).toArray(UUID[][]::new),
                        condition.forbiddenAggregates().toArray(UUID[]::new), inTreeRoot(condition)),
                classIds, amounts);
    }

    /**
     * Returns {@link ResolvedGroup#inTreeRootId}: the id of the root of the tree that {@code in_tree} names; 0 if there
     * is no {@code in_tree}, or if the group has no resources. If the named provider does not exist, returns -1, which
     * is the id of no root, even for a group without resources.
     */
    private long inTreeRoot(RequestGroup condition) {
        if (condition.inTree() == null) {
            return 0;
        }
        Provider named = view.find(condition.inTree());
        boolean hasResources = query.groups().stream()
                .anyMatch(group -> group.suffix().equals(condition.suffix()) && !group.resources().isEmpty());
        return named == null ? -1 : hasResources ? named.rootId() : 0;
    }

    private int[] traitIds(Collection<String> names) {
        return names.stream().mapToInt(name -> view.traits().get(name).id()).sorted().toArray();
    }

    private static RequestGroup groupWith(RequestGroup group, Map<String, Long> resources) {
        return new RequestGroup(group.suffix(), resources, List.of(), Set.of(), List.of(), Set.of(), null);
    }

    private static RequestGroup groupWith(String suffix, List<Set<String>> required, Set<String> forbidden) {
        return new RequestGroup(suffix, Map.of(), required, forbidden, List.of(), Set.of(), null);
    }

    private static List<String> sorted(Collection<?> names) {
        return names.stream().map(Object::toString).sorted().toList();
    }

    private static List<String> forbidden(List<String> names) {
        return names.stream().map(name -> "!" + name).toList();
    }

    int size() {
        return demands.size();
    }

    Demand get(int index) {
        return demands.get(index);
    }

    /** Returns the {@link Demand#text} of each demand with one of these indexes. */
    List<String> texts(BitSet indexes) {
        return indexes.stream().mapToObj(i -> demands.get(i).text()).toList();
    }

    /**
     * Returns the indexes of these demands, and of all demands that must be dropped with them. A group of which all
     * amounts are dropped is dropped as a whole. A group without resources is dropped as a whole if all its required
     * traits and aggregates are dropped.
     *
     * @param dropped indexes of demands
     * @return a new set
     */
    BitSet closure(BitSet dropped) {
        var closed = (BitSet) dropped.clone();
        for (RequestGroup group : query.groups()) {
            BitSet ofThisGroup = indexesOfGroup(group.suffix());
            if (ofThisGroup.intersects(dropped)
                    && ofThisGroup.stream().noneMatch(i -> !dropped.get(i) && suffices(group, demands.get(i)))) {
                closed.or(ofThisGroup);
            }
        }
        return closed;
    }

    /**
     * Returns whether a tree may be a candidate of the whole query, but not of the query without these demands. There
     * are two cases. Each required trait of the unsuffixed group must be on one of the providers that serve the group:
     * if an amount is dropped, its provider, which may be the only one with the trait, is no longer part of the
     * candidate. A {@code same_subtree} needs one provider that is an ancestor of the others: if a group is dropped,
     * its provider, which may be that ancestor, is no longer part of the candidate.
     *
     * @param dropped {@linkplain #closure closed}
     */
    boolean mayLoseCandidates(BitSet dropped) {
        boolean losesTraits =
                IntStream.range(0, demands.size())
                        .anyMatch(i -> demands.get(i).isUnsuffixedRequired() && !dropped.get(i))
                        && dropped.stream().anyMatch(i -> demands.get(i).isUnsuffixedAmount());
        return losesTraits || IntStream.range(0, demands.size()).anyMatch(i -> !dropped.get(i)
                && demands.get(i).kind() == Kind.SAME_SUBTREE
                && demands.get(i).names().stream()
                        .anyMatch(suffix -> indexesOfGroup(suffix).stream().allMatch(dropped::get)));
    }

    private BitSet indexesOfGroup(String suffix) {
        return Maps.require(byGroup, suffix);
    }

    /** Returns whether the group would be valid in a query if it had only this demand. */
    private static boolean suffices(RequestGroup group, Demand demand) {
        return group.resources().isEmpty()
                ? demand.kind() == Kind.REQUIRED || demand.kind() == Kind.MEMBER_OF
                : demand.isAmount();
    }

    /**
     * Returns the query without these demands and without a limit of candidates; null if no group with resources
     * remains.
     *
     * @param dropped {@linkplain #closure closed}
     */
    @Nullable CandidateQuery without(BitSet dropped) {
        List<RequestGroup> groups = new ArrayList<>();
        Set<String> suffixesWithoutResources = new LinkedHashSet<>();
        for (RequestGroup group : query.groups()) {
            BitSet own = indexesOfGroup(group.suffix());
            if (own.stream().anyMatch(i -> !dropped.get(i))) {
                RequestGroup reduced = without(group, own, dropped);
                groups.add(reduced);
                if (reduced.resources().isEmpty()) {
                    suffixesWithoutResources.add(reduced.suffix());
                }
            }
        }
        if (suffixesWithoutResources.size() == groups.size()) {
            return null;
        }
        Set<String> rootRequired = new LinkedHashSet<>();
        Set<String> rootForbidden = new LinkedHashSet<>();
        Set<String> withoutInventory = new LinkedHashSet<>();
        GroupPolicy policy = GroupPolicy.NONE;
        List<Set<String>> subtrees = new ArrayList<>();
        for (int i = dropped.nextClearBit(0); i < demands.size(); i = dropped.nextClearBit(i + 1)) {
            Demand kept = demands.get(i);
            switch (kept.kind()) {
                case ROOT_REQUIRED -> rootRequired.add(kept.value());
                case ROOT_FORBIDDEN -> rootForbidden.add(kept.value().substring(1));
                case WITHOUT_INVENTORY -> withoutInventory.add(kept.value());
                case ISOLATE -> policy = isolation(groups);
                case SAME_SUBTREE -> {
                    var members = new TreeSet<>(kept.names());
                    members.retainAll(groups.stream().map(RequestGroup::suffix).toList());
                    if (!members.isEmpty()) {
                        subtrees.add(members);
                        suffixesWithoutResources.removeAll(members);
                    }
                }
                default -> {}
            }
        }
        // A query is valid only if each group without resources is in a same_subtree.
        suffixesWithoutResources.forEach(suffix -> subtrees.add(Set.of(suffix)));
        return new CandidateQuery(
                groups, policy, rootRequired, rootForbidden, withoutInventory, subtrees, CandidateQuery.NO_LIMIT,
                query.nesting());
    }

    /**
     * Returns the policy that remains of {@code isolate} for these groups: {@code none} if fewer than two groups are
     * suffixed, because then the policy has no effect.
     */
    private static GroupPolicy isolation(List<RequestGroup> groups) {
        return groups.stream().filter(RequestGroup::isSuffixed).count() > 1 ? GroupPolicy.ISOLATE : GroupPolicy.NONE;
    }

    private RequestGroup without(RequestGroup group, BitSet own, BitSet dropped) {
        Map<String, Long> resources = new LinkedHashMap<>();
        List<Set<String>> required = new ArrayList<>();
        Set<String> forbidden = new LinkedHashSet<>();
        List<Set<UUID>> memberOf = new ArrayList<>();
        Set<UUID> forbiddenAggregates = new LinkedHashSet<>();
        UUID inTree = null;
        for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
            if (!dropped.get(i)) {
                RequestGroup kept =
                        Objects.requireNonNull(demands.get(i).condition(), "a demand of a group has a condition");
                resources.putAll(kept.resources());
                required.addAll(kept.required());
                forbidden.addAll(kept.forbidden());
                memberOf.addAll(kept.memberOf());
                forbiddenAggregates.addAll(kept.forbiddenAggregates());
                inTree = kept.inTree() == null ? inTree : kept.inTree();
            }
        }
        return new RequestGroup(
                group.suffix(), resources, required, forbidden, memberOf, forbiddenAggregates, inTree);
    }

    /**
     * Returns the query of {@link #without} as a query string for Berth's own routes. Must not be called if {@code
     * without} returns null.
     *
     * @param dropped {@linkplain #closure closed}
     */
    String textWithout(BitSet dropped) {
        CandidateQuery reduced = Objects.requireNonNull(without(dropped));
        var text = new StringJoiner("&");
        for (RequestGroup group : reduced.groups()) {
            var kept = (BitSet) indexesOfGroup(group.suffix()).clone();
            kept.andNot(dropped);
            addJoined(text, kept.stream().mapToObj(demands::get).filter(Demand::isAmount).toList());
            kept.stream().mapToObj(demands::get).filter(demand -> !demand.isAmount()).map(Demand::text)
                    .forEach(text::add);
        }
        addJoined(text, remaining(dropped, Demand::isOfRoot));
        addJoined(text, remaining(dropped, demand -> demand.kind() == Kind.WITHOUT_INVENTORY));
        for (Set<String> members : reduced.sameSubtrees()) {
            text.add("same_subtree=" + String.join(",", new TreeSet<>(members)));
        }
        if (reduced.groups().stream().filter(RequestGroup::isSuffixed).count() > 1) {
            text.add("group_policy=" + (reduced.groupPolicy() == GroupPolicy.ISOLATE ? "isolate" : "none"));
        }
        return text.toString();
    }

    private List<Demand> remaining(BitSet dropped, Predicate<Demand> filter) {
        return IntStream.range(0, demands.size()).filter(i -> !dropped.get(i)).mapToObj(demands::get).filter(filter)
                .toList();
    }

    private static void addJoined(StringJoiner text, List<Demand> ofOneParameter) {
        if (!ofOneParameter.isEmpty()) {
            text.add(ofOneParameter.getFirst().parameter() + "="
                    + String.join(",", ofOneParameter.stream().map(Demand::value).toList()));
        }
    }
}
