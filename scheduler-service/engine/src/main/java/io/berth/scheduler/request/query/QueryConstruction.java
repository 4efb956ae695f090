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
    /** Names the parameter of Berth's placement that keeps out trees with an inventory of these resource classes. */
    public static final String WITHOUT_INVENTORY = "without_inventory";

    private static final QueryParameter NO_DEDICATED_CPUS = new QueryParameter(WITHOUT_INVENTORY, "PCPU");
    private static final Logger LOG = Logger.getLogger(QueryConstruction.class);

    private QueryConstruction() {}

    /** The query of a prefiltered request. Refused: what is wrong with flavor, image or groups. */
    public static Derived<PlacementQuery> build(
            PlacementRequest request, NamedHosts named, TranslationOptions options) {
        return GroupDrafts.build(request, true, options)
                .then(groups -> finish(groups, request, named, options, List.of()));
    }

    /**
     * The second query where pinning was requested: the same with VCPU instead of PCPU, for hosts whose whole tree has no
     * inventory of PCPU. A host that has one gives dedicated CPUs of it alone: its VCPU are the CPUs that others share.
     */
    public static Derived<PlacementQuery> buildFallback(
            PlacementRequest request, NamedHosts named, TranslationOptions options) {
        return GroupDrafts.build(request, false, options)
                .then(groups -> finish(groups, request, named, options, List.of(NO_DEDICATED_CPUS)));
    }

    /** Traits that flavor, image and outside groups require, over all groups; what prefilters added is not in it. */
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

    /** Placement wants a policy with two suffixed groups. Where the flavor's author had no reason to give one: none. */
    private static String groupPolicy(GroupDrafts groups) {
        if (groups.groupPolicy != null || groups.suffixedGroups() < 2) {
            return groups.groupPolicy;
        }
        LOG.warnf("no group_policy groups=%d from_flavor=%d", groups.suffixedGroups(), groups.flavorGroups);
        return groups.flavorGroups <= 1 ? "none" : null;
    }
}
