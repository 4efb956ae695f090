package io.berth.placement.candidate.search;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQuery.GroupPolicy;
import io.berth.placement.candidate.query.CandidateQuery.Nesting;
import io.berth.placement.candidate.query.RequestGroup;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A {@link CandidateQuery} with ids of one view instead of names, split into {@link GroupPart}s. Arrays must not be
 * modified.
 *
 * @param parts the parts, those of the unsuffixed group first
 * @param unsuffixedCount the number of parts of the unsuffixed group
 * @param unsuffixed the unsuffixed group; null if there is none
 * @param isolate whether suffixed groups need different providers
 * @param contendedClasses ids of the resource classes that more than one group requests
 * @param withoutClasses ids of the resource classes of which no provider of a candidate's tree may have an inventory
 * @param sameSubtrees for each {@code same_subtree} with at least two groups, the indexes of their parts
 * @param rootRequired ids of the traits that the root of the tree must have
 * @param rootForbidden ids of the traits that the root of the tree must not have; traits that no provider of the view
 *         has are omitted
 * @param nested whether a candidate may take from several providers of one tree
 * @param limit the most candidates in the response; {@link CandidateQuery#NO_LIMIT} for all
 */
public record ResolvedQuery(
        GroupPart[] parts,
        int unsuffixedCount,
        @Nullable ResolvedGroup unsuffixed,
        boolean isolate,
        int[] contendedClasses,
        int[][] sameSubtrees,
        int[] rootRequired,
        int[] rootForbidden,
        int[] withoutClasses,
        boolean nested,
        int limit) {

    /**
     * Resolves the query. Returns null if no provider can serve one of the groups, so that there is certainly no
     * candidate.
     *
     * @throws ApiException 400 if a resource class or trait does not exist in the view, even if there could be no
     *         candidate
     */
    public static @Nullable ResolvedQuery of(FleetView view, CandidateQuery query) {
        return new Resolver(view).resolve(query);
    }

    /** Returns the ids of all requested resource classes, ascending, each once. */
    public int[] classIds() {
        return Arrays.stream(parts).flatMapToInt(part -> Arrays.stream(part.classIds())).sorted().distinct().toArray();
    }

    /**
     * Returns whether the part requests resources, and no part before it requests resources from the same provider. The
     * allocation of a provider is written at this part.
     *
     * @param providers the provider of each part
     */
    public boolean isFirstPartToTakeFrom(int part, Provider[] providers) {
        if (parts[part].classIds().length == 0) {
            return false;
        }
        for (int before = 0; before < part; before++) {
            if (providers[before] == providers[part] && parts[before].classIds().length > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the query without its amounts: it demands only the conditions, and inventories of the classes. */
    ResolvedQuery withoutAmounts() {
        return new ResolvedQuery(
                Arrays.stream(parts).map(GroupPart::withoutAmounts).toArray(GroupPart[]::new), unsuffixedCount,
                unsuffixed, isolate, new int[0], sameSubtrees, rootRequired, rootForbidden, withoutClasses, nested,
                limit);
    }

    /** Returns whether the tree meets the conditions on the root and on the tree as a whole. */
    boolean accepts(ProviderTree tree) {
        return acceptsRoot(tree.root()) && hasNoneOf(tree, withoutClasses);
    }

    private static boolean hasNoneOf(ProviderTree tree, int[] classIds) {
        for (int classId : classIds) {
            for (Provider provider : tree.nodes()) {
                if (provider.inventories().find(classId) >= 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean acceptsRoot(Provider root) {
        for (int traitId : rootRequired) {
            if (!root.hasTrait(traitId)) {
                return false;
            }
        }
        return !root.hasAny(rootForbidden);
    }

    private static final class Resolver {
        private final FleetView view;

        Resolver(FleetView view) {
            this.view = view;
        }

        @Nullable ResolvedQuery resolve(CandidateQuery query) {
            int[] rootRequired = traits(query.rootRequired());
            int[] rootForbidden = onlyInUse(traits(query.rootForbidden()));
            int[] withoutClasses = query.withoutInventory().stream().mapToInt(this::resourceClass).sorted().toArray();
            List<ResolvedGroup> groups = new ArrayList<>();
            query.groups().forEach(group -> groups.add(group(group)));
            if (groups.contains(null)) {
                return null;
            }
            List<GroupPart> parts = new ArrayList<>();
            ResolvedGroup unsuffixed = null;
            for (ResolvedGroup group : groups) {
                if (!group.isSuffixed()) {
                    unsuffixed = group;
                    for (int i = 0; i < group.classIds().length; i++) {
                        parts.add(new GroupPart(group, new int[] {group.classIds()[i]},
                                new long[] {group.amounts()[i]}));
                    }
                }
            }
            int unsuffixedCount = parts.size();
            for (ResolvedGroup group : groups) {
                if (group.isSuffixed()) {
                    parts.add(new GroupPart(group, group.classIds(), group.amounts()));
                }
            }
            return new ResolvedQuery(
                    parts.toArray(GroupPart[]::new), unsuffixedCount, unsuffixed,
                    query.groupPolicy() == GroupPolicy.ISOLATE, contended(groups), subtrees(query, parts), rootRequired,
                    rootForbidden, withoutClasses, query.nesting() == Nesting.AWARE, query.limit());
        }

        /** Resolves a group; null if no provider can serve the group. */
        private @Nullable ResolvedGroup group(RequestGroup group) {
            int[] classIds = new int[group.resources().size()];
            long[] amounts = new long[classIds.length];
            int filled = 0;
            for (var resource : group.resources().entrySet()) {
                classIds[filled] = resourceClass(resource.getKey());
                amounts[filled++] = resource.getValue();
            }
            int[][] required = group.required().stream().map(this::traits).toArray(int[][]::new);
            int[] forbidden = onlyInUse(traits(group.forbidden()));
            Provider inTree = group.inTree() == null ? null : view.find(group.inTree());
            if (group.inTree() != null && inTree == null) {
                return null;
            }
            if (classIds.length == 0 && required.length == 0 && group.memberOf().isEmpty()) {
                // Like upstream, finds no provider for a group without resources that requires neither a trait nor
                // an aggregate.
                return null;
            }
            return new ResolvedGroup(
                    group.suffix(), classIds, amounts, required, forbidden,
                    group.memberOf().stream().map(set -> set.toArray(UUID[]::new)).toArray(UUID[][]::new),
                    group.forbiddenAggregates().stream()
                            .filter(aggregate -> view.slotsInAggregate(aggregate).size() > 0).toArray(UUID[]::new),
                    inTree == null || classIds.length == 0 ? 0 : inTree.rootId());
        }

        private int resourceClass(String name) {
            NameCatalogue.Entry resourceClass = view.resourceClasses().find(name);
            if (resourceClass == null) {
                throw ApiException.badRequest(
                        "Invalid resource class in resources parameter: No such resource class " + name + ".");
            }
            return resourceClass.id();
        }

        private int[] traits(Collection<String> names) {
            return names.stream().sorted().mapToInt(this::trait).sorted().toArray();
        }

        /** Returns those of the traits that any provider of the fleet has; the search need not check the others. */
        private int[] onlyInUse(int[] traitIds) {
            return Arrays.stream(traitIds).filter(id -> view.slotsWithTrait(id).size() > 0).toArray();
        }

        private int trait(String name) {
            NameCatalogue.Entry trait = view.traits().find(name);
            if (trait == null) {
                throw ApiException.badRequest("No such trait(s): " + name + ".");
            }
            return trait.id();
        }

        private static int[] contended(List<ResolvedGroup> groups) {
            Map<Integer, Integer> groupsByClass = new HashMap<>();
            for (ResolvedGroup group : groups) {
                for (int classId : group.classIds()) {
                    groupsByClass.merge(classId, 1, Integer::sum);
                }
            }
            return groupsByClass.entrySet().stream().filter(count -> count.getValue() > 1).mapToInt(Map.Entry::getKey)
                    .sorted().toArray();
        }

        private static int[][] subtrees(CandidateQuery query, List<GroupPart> parts) {
            Map<String, Integer> partBySuffix = new HashMap<>();
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).isSuffixed()) {
                    partBySuffix.put(parts.get(i).group().suffix(), i);
                }
            }
            return query.sameSubtrees().stream()
                    .filter(suffixes -> suffixes.size() > 1)
                    .map(suffixes -> suffixes.stream().mapToInt(partBySuffix::get).toArray())
                    .toArray(int[][]::new);
        }
    }
}
