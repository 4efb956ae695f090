package io.berth.scheduler.request.query;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.text.Derived;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Builds the query string for GET /allocation_candidates.
 * <br>Source: nova {@code scheduler/utils.py} (resources_from_request_spec, ResourceRequest.to_querystring).
 */
public final class QueryConstruction {
    /** Names the parameter of Berth's placement that excludes trees with an inventory of these resource classes. */
    public static final String WITHOUT_INVENTORY = "without_inventory";

    private static final QueryParameter NO_DEDICATED_CPUS = new QueryParameter(WITHOUT_INVENTORY, "PCPU");
    private static final Logger LOG = Logger.getLogger(QueryConstruction.class);

    private QueryConstruction() {}

    /** Builds the query of a prefiltered request; refused if flavor, image or groups are invalid. */
    public static Derived<PlacementQuery> build(
            PlacementRequest request, NamedHosts named, TranslationOptions options) {
        return GroupDrafts.build(request, true, options)
                .then(groups -> finish(groups, request, named, options, List.of()));
    }

    /**
     * Builds the second query if pinning was requested: the same with VCPU instead of PCPU, for hosts whose whole tree
     * has no inventory of PCPU. A host with such an inventory supplies dedicated CPUs only from it; its VCPU are shared
     * CPUs.
     */
    public static Derived<PlacementQuery> buildFallback(
            PlacementRequest request, NamedHosts named, TranslationOptions options) {
        return GroupDrafts.build(request, false, options)
                .then(groups -> finish(groups, request, named, options, List.of(NO_DEDICATED_CPUS)));
    }

    /**
     * Returns the traits that the flavor, the image and the request's own groups require, over all groups, without
     * those that prefilters add.
     */
    public static Derived<Set<String>> requiredTraits(PlacementRequest request, TranslationOptions options) {
        return GroupDrafts.build(request, true, options).then(groups -> new Derived.Value<>(groups.requiredTraits()));
    }

    private static Derived<PlacementQuery> finish(
            GroupDrafts groups, PlacementRequest request, NamedHosts named, TranslationOptions options,
            List<QueryParameter> more) {
        addDestination(groups, request, named);
        List<QueryParameter> parameters = new ArrayList<>(more);
        boolean severalNamed = named.computeNodeUuids().size() > 1;
        boolean limited = options.maxPlacementResults() != TranslationOptions.NO_LIMIT;
        if (limited && !severalNamed && !request.nearOthers()) {
            parameters.add(new QueryParameter("limit", Integer.toString(options.maxPlacementResults())));
        }
        String policy = groupPolicy(groups);
        if (policy != null) {
            parameters.add(new QueryParameter("group_policy", policy));
        }
        String rootTraits = GroupDraft.renderTraits(request.rootRequired(), request.rootForbidden());
        if (!rootTraits.isEmpty()) {
            parameters.add(new QueryParameter("root_required", rootTraits));
        }
        for (List<String> suffixes : request.sameSubtree()) {
            parameters.add(new QueryParameter("same_subtree", String.join(",", new TreeSet<>(suffixes))));
        }
        groups.bySuffix.forEach((suffix, group) -> group.render(suffix, parameters));
        return new Derived.Value<>(new PlacementQuery(QueryParameter.render(parameters), groups.pinningRequested));
    }

    private static void addDestination(GroupDrafts groups, PlacementRequest request, NamedHosts named) {
        if (!request.memberOf().isEmpty()) {
            groups.unsuffixed().memberOf.addAll(request.memberOf());
        }
        if (!request.notMemberOf().isEmpty()) {
            groups.unsuffixed().notMemberOf.addAll(request.notMemberOf());
        }
        if (named.computeNodeUuids().size() == 1) {
            groups.unsuffixed().inTree = named.computeNodeUuids().getFirst();
        }
    }

    /**
     * Returns the flavor's group policy. Placement requires one for two or more suffixed groups. If the flavor states
     * none, returns {@code none} where at most one of the groups comes from the flavor, whose author had no reason to
     * state a policy; otherwise null.
     */
    private static String groupPolicy(GroupDrafts groups) {
        if (groups.groupPolicy != null || groups.suffixedGroups() < 2) {
            return groups.groupPolicy;
        }
        LOG.warnf("no group_policy groups=%d from_flavor=%d", groups.suffixedGroups(), groups.flavorGroups);
        return groups.flavorGroups <= 1 ? "none" : null;
    }
}
