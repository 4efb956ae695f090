package io.berth.scheduler.request.query;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.text.DerivedValue;
import jakarta.annotation.Nullable;
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
    /**
     * The name of a query parameter that only Berth's placement has. The parameter excludes provider trees with an
     * inventory of one of the given resource classes.
     */
    public static final String WITHOUT_INVENTORY = "without_inventory";

    private static final QueryParameter NO_DEDICATED_CPUS = new QueryParameter(WITHOUT_INVENTORY, "PCPU");
    private static final Logger LOG = Logger.getLogger(QueryConstruction.class);

    private QueryConstruction() {}

    /** Builds the query of a request after its prefilters. Refuses an invalid flavor or image and invalid groups. */
    public static DerivedValue<PlacementQuery> build(
            PlacementRequest request, NamedHosts namedHosts, TranslationOptions options) {
        return GroupDrafts.build(request, true, options)
                .then(groups -> finish(groups, request, namedHosts, options, List.of()));
    }

    /**
     * Builds the second query of a request for pinned CPUs, with VCPU instead of PCPU. The query excludes hosts whose
     * tree has an inventory of PCPU, because such a host has dedicated CPUs only in that inventory, and its VCPU are
     * shared CPUs.
     */
    public static DerivedValue<PlacementQuery> buildFallback(
            PlacementRequest request, NamedHosts namedHosts, TranslationOptions options) {
        return GroupDrafts.build(request, false, options)
                .then(groups -> finish(groups, request, namedHosts, options, List.of(NO_DEDICATED_CPUS)));
    }

    /**
     * Returns the required traits of all groups of flavor, image and request. Traits that only the root provider must
     * have, to which prefilters add, are not included.
     */
    public static DerivedValue<Set<String>> requiredTraits(PlacementRequest request, TranslationOptions options) {
        return GroupDrafts.build(request, true, options)
                .then(groups -> new DerivedValue.Value<>(groups.requiredTraits()));
    }

    private static DerivedValue<PlacementQuery> finish(
            GroupDrafts groups, PlacementRequest request, NamedHosts namedHosts, TranslationOptions options,
            List<QueryParameter> initialParameters) {
        addDestination(groups, request, namedHosts);
        List<QueryParameter> parameters = new ArrayList<>(initialParameters);
        // No limit if a limited response might lack the hosts that matter: several hosts that the request names, of
        // which in_tree can select only one, or the hosts of other instances that a scheduler hint names.
        boolean namesSeveralHosts = namedHosts.computeNodeUuids().size() > 1;
        boolean hasLimit = options.maxPlacementResults() != TranslationOptions.NO_LIMIT;
        if (hasLimit && !namesSeveralHosts && !request.nearOthers()) {
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
        return new DerivedValue.Value<>(new PlacementQuery(QueryParameter.render(parameters), groups.pinningRequested));
    }

    private static void addDestination(GroupDrafts groups, PlacementRequest request, NamedHosts namedHosts) {
        if (!request.memberOf().isEmpty()) {
            groups.unsuffixed().memberOf.addAll(request.memberOf());
        }
        if (!request.notMemberOf().isEmpty()) {
            groups.unsuffixed().notMemberOf.addAll(request.notMemberOf());
        }
        if (namedHosts.computeNodeUuids().size() == 1) {
            groups.unsuffixed().inTree = namedHosts.computeNodeUuids().getFirst();
        }
    }

    /**
     * Returns the flavor's group policy. If the flavor states none, returns null, with one exception: {@code none} if
     * the query has two or more suffixed groups, of which at most one is the flavor's. Placement requires a policy for
     * two or more suffixed groups, and the flavor's author had no reason to state one.
     */
    private static @Nullable String groupPolicy(GroupDrafts groups) {
        if (groups.groupPolicy != null || groups.suffixedGroupCount() < 2) {
            return groups.groupPolicy;
        }
        LOG.warnf("no group_policy groups=%d from_flavor=%d", groups.suffixedGroupCount(), groups.flavorGroupCount);
        return groups.flavorGroupCount <= 1 ? "none" : null;
    }
}
