package io.berth.placement.candidate.explanation;

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
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The demands of a query, each with an index, and the queries that remain without some of them. Explanations show the
 * demands in this order: conditions on the providers of groups; conditions on the root and the tree, after those on
 * providers so that a disabled host counts as suitable before them; amounts, so that a full host differs from an
 * unsuitable one; and rules for several groups.
 */
final class Demands {
    private static final int[] NO_PARTS = {};

    private final FleetView view;
    private final CandidateQuery query;
    /** The demands by index. */
    private final List<Demand> all = new ArrayList<>();
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
            int of = part;
            for (var wanted : group.resources().entrySet()) {
                amounts.add(demand(
                        Kind.AMOUNT, "resources", wanted.getKey() + ":" + wanted.getValue(), List.of(wanted.getKey()),
                        only(group, Map.of(wanted.getKey(), wanted.getValue())), new int[] {of}));
                of += group.isSuffixed() ? 0 : 1;
            }
            part += count;
        }
        for (String name : new TreeSet<>(query.rootRequired())) {
            all.add(ofRoot(Kind.ROOT_REQUIRED, name, only("", List.of(Set.of(name)), Set.of())));
        }
        for (String name : new TreeSet<>(query.rootForbidden())) {
            all.add(ofRoot(Kind.ROOT_FORBIDDEN, "!" + name, only("", List.of(), Set.of(name))));
        }
        for (String name : new TreeSet<>(query.withoutInventory())) {
            all.add(new Demand(
                    Kind.WITHOUT_INVENTORY, "", CandidateQueryParser.WITHOUT_INVENTORY, name, null, List.of(name),
                    part(new RequestGroup("", Map.of(name, 1L), List.of(), Set.of(), List.of(), Set.of(), null)),
                    NO_PARTS));
        }
        all.addAll(amounts);
        addRules();
        query.groups().forEach(group -> byGroup.put(group.suffix(), new BitSet()));
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).condition() != null) {
                byGroup.get(all.get(i).suffix()).set(i);
            }
        }
    }

    private void addConditions(RequestGroup group, int[] parts) {
        String suffix = group.suffix();
        if (group.inTree() != null) {
            String uuid = group.inTree().toString();
            all.add(demand(Kind.IN_TREE, "in_tree", uuid, List.of(uuid),
                    new RequestGroup(suffix, Map.of(), List.of(), Set.of(), List.of(), Set.of(), group.inTree()),
                    parts));
        }
        for (Set<UUID> anyOf : new LinkedHashSet<>(group.memberOf())) {
            List<String> names = sorted(anyOf);
            all.add(demand(Kind.MEMBER_OF, "member_of", "in:" + String.join(",", names), names,
                    new RequestGroup(suffix, Map.of(), List.of(), Set.of(), List.of(anyOf), Set.of(), null), parts));
        }
        if (!group.forbiddenAggregates().isEmpty()) {
            List<String> names = sorted(group.forbiddenAggregates());
            all.add(demand(Kind.NOT_MEMBER_OF, "member_of", "!in:" + String.join(",", names), forbidden(names),
                    new RequestGroup(
                            suffix, Map.of(), List.of(), Set.of(), List.of(), group.forbiddenAggregates(), null),
                    parts));
        }
        for (Set<String> anyOf : new LinkedHashSet<>(group.required())) {
            List<String> names = sorted(anyOf);
            all.add(demand(Kind.REQUIRED, "required", (anyOf.size() > 1 ? "in:" : "") + String.join(",", names), names,
                    only(suffix, List.of(anyOf), Set.of()), parts));
        }
        for (String name : new TreeSet<>(group.forbidden())) {
            all.add(demand(Kind.FORBIDDEN, "required", "!" + name, List.of("!" + name),
                    only(suffix, List.of(), Set.of(name)), parts));
        }
    }

    private void addRules() {
        if (query.groupPolicy() == GroupPolicy.ISOLATE && isolable(query.groups()) == GroupPolicy.ISOLATE) {
            all.add(new Demand(Kind.ISOLATE, "", "group_policy", "isolate", null, List.of(), null, NO_PARTS));
        }
        for (Set<String> suffixes : new LinkedHashSet<>(query.sameSubtrees())) {
            if (suffixes.size() > 1) {
                List<String> names = sorted(suffixes);
                all.add(new Demand(
                        Kind.SAME_SUBTREE, "", "same_subtree", String.join(",", names), null, names, null, NO_PARTS));
            }
        }
    }

    private Demand demand(
            Kind kind, String parameter, String value, List<String> names, RequestGroup condition, int[] parts) {
        return new Demand(
                kind, condition.suffix(), parameter + condition.suffix(), value, condition, names, part(condition),
                parts);
    }

    private Demand ofRoot(Kind kind, String value, RequestGroup condition) {
        return new Demand(kind, "", "root_required", value, null, List.of(value), part(condition), NO_PARTS);
    }

    private GroupPart part(RequestGroup one) {
        int[] classIds = one.resources().keySet().stream()
                .mapToInt(name -> view.resourceClasses().find(name).id())
                .toArray();
        long[] amounts = one.resources().values().stream().mapToLong(Long::longValue).toArray();
        return new GroupPart(
                new ResolvedGroup(
                        one.suffix(), classIds, amounts,
                        one.required().stream().map(this::traits).toArray(int[][]::new),
                        traits(one.forbidden()),
                        one.memberOf().stream().map(set -> set.toArray(UUID[]::new)).toArray(UUID[][]::new),
                        one.forbiddenAggregates().toArray(UUID[]::new), inTreeRoot(one)),
                classIds, amounts);
    }

    /**
     * Returns the id of the root of the tree that {@code in_tree} names, like {@link ResolvedGroup#inTreeRootId}; -1,
     * which no root has, if the named provider does not exist.
     */
    private long inTreeRoot(RequestGroup one) {
        if (one.inTree() == null) {
            return 0;
        }
        Provider named = view.find(one.inTree());
        boolean takesResources = query.groups().stream()
                .anyMatch(group -> group.suffix().equals(one.suffix()) && !group.resources().isEmpty());
        return named == null ? -1 : takesResources ? named.rootId() : 0;
    }

    private int[] traits(Collection<String> names) {
        return names.stream().mapToInt(name -> view.traits().find(name).id()).sorted().toArray();
    }

    private static RequestGroup only(RequestGroup of, Map<String, Long> resources) {
        return new RequestGroup(of.suffix(), resources, List.of(), Set.of(), List.of(), Set.of(), null);
    }

    private static RequestGroup only(String suffix, List<Set<String>> required, Set<String> forbidden) {
        return new RequestGroup(suffix, Map.of(), required, forbidden, List.of(), Set.of(), null);
    }

    private static List<String> sorted(Collection<?> names) {
        return names.stream().map(Object::toString).sorted().toList();
    }

    private static List<String> forbidden(List<String> names) {
        return names.stream().map(name -> "!" + name).toList();
    }

    int size() {
        return all.size();
    }

    Demand get(int index) {
        return all.get(index);
    }

    /** Returns {@link Demand#text} of the demands with these indexes. */
    List<String> texts(BitSet some) {
        return some.stream().mapToObj(i -> all.get(i).text()).toList();
    }

    /**
     * Returns the demands that a query loses if it loses these demands. A group that keeps none of its amounts is
     * dropped as a whole, and so is a group without resources that keeps neither a required trait nor a required
     * aggregate.
     *
     * @return indexes, in a new set
     */
    BitSet closure(BitSet dropped) {
        var closed = (BitSet) dropped.clone();
        for (RequestGroup group : query.groups()) {
            BitSet own = byGroup.get(group.suffix());
            if (own.intersects(dropped)
                    && own.stream().noneMatch(i -> !dropped.get(i) && isReason(group, all.get(i)))) {
                closed.or(own);
            }
        }
        return closed;
    }

    /**
     * Returns whether a tree may be a candidate of the whole query, but not of the query without these demands. There
     * are two cases. The providers of the unsuffixed group need the required traits only together: without an amount,
     * the provider that served the amount and had the trait is no longer part of the candidate. A {@code same_subtree}
     * needs one provider that is an ancestor of the others: without a group, the provider that was the ancestor is no
     * longer part of the candidate.
     *
     * @param dropped {@linkplain #closure closed}
     */
    boolean mayLose(BitSet dropped) {
        boolean losesTraits = IntStream.range(0, all.size()).anyMatch(i -> all.get(i).isTogether() && !dropped.get(i))
                && dropped.stream().anyMatch(i -> all.get(i).isUnsuffixedAmount());
        return losesTraits || IntStream.range(0, all.size()).anyMatch(i -> !dropped.get(i)
                && all.get(i).kind() == Kind.SAME_SUBTREE
                && all.get(i).names().stream().anyMatch(suffix -> byGroup.get(suffix).stream().allMatch(dropped::get)));
    }

    /** Returns whether a group with only this demand is valid in a query. */
    private static boolean isReason(RequestGroup group, Demand demand) {
        return group.resources().isEmpty()
                ? demand.kind() == Kind.REQUIRED || demand.kind() == Kind.MEMBER_OF
                : demand.isAmount();
    }

    /**
     * Returns the query without these demands and without a limit; null if no group with resources remains.
     *
     * @param dropped {@linkplain #closure closed}
     */
    @Nullable CandidateQuery without(BitSet dropped) {
        List<RequestGroup> groups = new ArrayList<>();
        Set<String> resourceless = new LinkedHashSet<>();
        for (RequestGroup group : query.groups()) {
            BitSet own = byGroup.get(group.suffix());
            if (own.stream().anyMatch(i -> !dropped.get(i))) {
                RequestGroup left = without(group, own, dropped);
                groups.add(left);
                if (left.resources().isEmpty()) {
                    resourceless.add(left.suffix());
                }
            }
        }
        if (resourceless.size() == groups.size()) {
            return null;
        }
        Set<String> rootRequired = new LinkedHashSet<>();
        Set<String> rootForbidden = new LinkedHashSet<>();
        Set<String> withoutInventory = new LinkedHashSet<>();
        GroupPolicy policy = GroupPolicy.NONE;
        List<Set<String>> subtrees = new ArrayList<>();
        for (int i = dropped.nextClearBit(0); i < all.size(); i = dropped.nextClearBit(i + 1)) {
            Demand kept = all.get(i);
            switch (kept.kind()) {
                case ROOT_REQUIRED -> rootRequired.add(kept.value());
                case ROOT_FORBIDDEN -> rootForbidden.add(kept.value().substring(1));
                case WITHOUT_INVENTORY -> withoutInventory.add(kept.value());
                case ISOLATE -> policy = isolable(groups);
                case SAME_SUBTREE -> {
                    var members = new TreeSet<>(kept.names());
                    members.retainAll(groups.stream().map(RequestGroup::suffix).toList());
                    if (!members.isEmpty()) {
                        subtrees.add(members);
                        resourceless.removeAll(members);
                    }
                }
                default -> {}
            }
        }
        // A query is valid only if each group without resources is in a same_subtree.
        resourceless.forEach(suffix -> subtrees.add(Set.of(suffix)));
        return new CandidateQuery(
                groups, policy, rootRequired, rootForbidden, withoutInventory, subtrees, CandidateQuery.NO_LIMIT,
                query.nesting());
    }

    /**
     * Returns the policy for groups that must be isolated: with fewer than two suffixed groups, the policy has no
     * effect.
     */
    private static GroupPolicy isolable(List<RequestGroup> groups) {
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
                RequestGroup kept = all.get(i).condition();
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

    /** Returns the query of {@link #without}, which must not be null, as a query string for Berth's own routes. */
    String textWithout(BitSet dropped) {
        CandidateQuery left = without(dropped);
        var text = new StringJoiner("&");
        for (RequestGroup group : left.groups()) {
            var kept = (BitSet) byGroup.get(group.suffix()).clone();
            kept.andNot(dropped);
            addJoined(text, kept.stream().mapToObj(all::get).filter(Demand::isAmount).toList());
            kept.stream().mapToObj(all::get).filter(demand -> !demand.isAmount()).map(Demand::text).forEach(text::add);
        }
        addJoined(text, remaining(dropped, Demand::isOfRoot));
        addJoined(text, remaining(dropped, demand -> demand.kind() == Kind.WITHOUT_INVENTORY));
        for (Set<String> members : left.sameSubtrees()) {
            text.add("same_subtree=" + String.join(",", new TreeSet<>(members)));
        }
        if (left.groups().stream().filter(RequestGroup::isSuffixed).count() > 1) {
            text.add("group_policy=" + (left.groupPolicy() == GroupPolicy.ISOLATE ? "isolate" : "none"));
        }
        return text.toString();
    }

    private List<Demand> remaining(BitSet dropped, Predicate<Demand> some) {
        return IntStream.range(0, all.size()).filter(i -> !dropped.get(i)).mapToObj(all::get).filter(some).toList();
    }

    private static void addJoined(StringJoiner text, List<Demand> ofOneParameter) {
        if (!ofOneParameter.isEmpty()) {
            text.add(ofOneParameter.getFirst().parameter() + "="
                    + String.join(",", ofOneParameter.stream().map(Demand::value).toList()));
        }
    }
}
