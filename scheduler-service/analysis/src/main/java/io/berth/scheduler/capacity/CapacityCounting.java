package io.berth.scheduler.capacity;

import io.berth.model.Maps;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostFilter.Sensitivity;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Counts how many instances of each request would be placed on a copy of the cloud, one after the other, each by a
 * separate request. An object of this class serves one call, on the analysis worker.
 *
 * <p>Uses the cheapest of three methods that is exact for the request. If hosts do not depend on each other and no
 * filter depends on placements, {@link PerHostCounting} uses placement's count for each tree whose host passes the
 * filters. If filters depend only on placements on the same host, it fills each host by itself. If hosts depend on each
 * other, for example because their trees use the same sharing provider, {@link SequentialCounting} places one instance
 * after the other. All methods use the enabled filters and placement's search. Those that place instances use {@code
 * decision.Consumption} to compute a host with one more instance.
 */
public final class CapacityCounting {
    /**
     * The maximum number of fills (queries of how many claims each tree has room for, {@link FleetQuery.Fill}) in one
     * call of placement, which bounds the memory of the response. A counted request has one fill, or two if it has a
     * fallback query.
     */
    private static final int FILLS_IN_CALL_MAX = 200;

    /** The reason in a tally that is incomplete because the deadline passed. */
    private static final String TIME = "time";
    /**
     * The candidates of a host whose tree is a single provider: one candidate without amounts. Placing an instance on
     * such a host then subtracts the flavor's amounts.
     */
    private static final List<AllocationCandidate> ONE_WITHOUT_AMOUNTS = List.of(AllocationCandidate.NONE);

    private final Snapshot snapshot;
    private final Split split;
    private final boolean isLenient;
    private final List<Tally> tallies = new ArrayList<>();

    /**
     * A request whose queries are known, and whose count is in progress.
     *
     * @param sensitiveFilters filters whose verdict may change once an instance of the request is placed
     */
    private record PlannedRequest(
            CountedRequest request, Tally tally, Queries queries, EnabledFilters sensitiveFilters) {
        /**
         * Returns whether host states must be built from placement's candidates. Responses with candidates are large,
         * so each such request has a call of its own.
         */
        boolean needsHosts() {
            return !sensitiveFilters.inOrder().isEmpty()
                    || !queries.namesByUuid().isEmpty()
                    || queries.spec().requestedDestination() != null;
        }

        List<FleetQuery> candidates() {
            return queries.withoutLimit().all().stream().<FleetQuery>map(FleetQuery.Candidates::new).toList();
        }

        List<FleetQuery> fills() {
            return FleetQuery.fills(queries, request.max());
        }
    }

    CapacityCounting(Snapshot snapshot, Split split) {
        this(snapshot, split, false);
    }

    private CapacityCounting(Snapshot snapshot, Split split, boolean isLenient) {
        this.snapshot = snapshot;
        this.split = split;
        this.isLenient = isLenient;
    }

    /**
     * Creates a count that does not fail if a request is invalid, but marks the tally of this request as refused and
     * counts the other requests. For requests that were valid when they were stored.
     */
    static CapacityCounting leniently(Snapshot snapshot, Split split) {
        return new CapacityCounting(snapshot, split, true);
    }

    /**
     * Counts each request as if there were no other requests. Returns tallies in the order of the requests. Throws
     * ApiFault (400) with the path of a request that a decision would refuse as invalid, unless this was created by
     * {@link #leniently}.
     */
    List<Tally> countEach(List<CountedRequest> requests) {
        List<PlannedRequest> batch = new ArrayList<>();
        int fillsInBatch = 0;
        for (CountedRequest request : requests) {
            PlannedRequest planned = plan(request);
            if (planned == null) {
                continue;
            }
            if (planned.needsHosts()) {
                count(List.of(planned));
                continue;
            }
            int fillsOfRequest = planned.fills().size();
            if (fillsInBatch + fillsOfRequest > FILLS_IN_CALL_MAX) {
                count(batch);
                batch.clear();
                fillsInBatch = 0;
            }
            batch.add(planned);
            fillsInBatch += fillsOfRequest;
        }
        count(batch);
        return tallies;
    }

    /**
     * Places instances of all requests in turns, until an instance finds no host, a request reaches its maximum, or the
     * time is up. In one turn, a request places as many instances as its proportion. Returns tallies in the order of
     * the requests.
     */
    List<Tally> countJointly(List<CountedRequest> requests) {
        List<SequentialCounting.RequestTurn> turns = new ArrayList<>();
        for (CountedRequest request : requests) {
            PlannedRequest planned = plan(request);
            turns.add(planned == null
                    ? new SequentialCounting.RequestTurn(null, tallies.getLast(), request.proportion())
                    : turn(planned));
        }
        if (tallies.stream().allMatch(Tally::isComplete)) {
            new SequentialCounting(snapshot).fill(turns);
        } else {
            tallies.forEach(each -> each.markIncomplete(TIME));
        }
        cutIfFleetChanged(tallies);
        return tallies;
    }

    /** Marks the tallies as incomplete if the fleet changed between two calls of placement. */
    private void cutIfFleetChanged(List<Tally> affected) {
        if (snapshot.hasFleetChanged()) {
            affected.forEach(each -> each.markIncomplete(Snapshot.PLACEMENT_CHANGED));
        }
    }

    /** Plans a request and adds its tally. Returns null if the request is not counted and its tally is final. */
    private @Nullable PlannedRequest plan(CountedRequest request) {
        Tally tally = new Tally(request.max(), split.parts());
        tallies.add(tally);
        tally.setWarnings(snapshot.warnings(request.request().spec()));
        if (snapshot.deadline().isUp()) {
            tally.markIncomplete(TIME);
            return null;
        }
        HostSearch.Planned planned =
                withPath(request, tally,
                        () -> snapshot.plan(forOneInstance(request.request().spec()), request.request().toDerive()));
        return switch (planned) {
            case null -> null;
            case Queries queries -> new PlannedRequest(
                    request, tally, queries,
                    findSensitiveFilters(queries.spec(), snapshot.inputs(SchedulingInputs.Detail.COUNTS)));
            case HostSearch.Refused(_, String detail, _) -> {
                tally.refuse(detail);
                tally.addObstacle("request", snapshot.registry().computeNodeCount());
                yield null;
            }
        };
    }

    /** Returns the request for one instance with a new uuid, instead of the instances that the request names. */
    private static RequestSpec forOneInstance(RequestSpec spec) {
        String instance = UUID.randomUUID().toString();
        return spec.toBuilder().instanceUuid(instance).instanceUuids(List.of(instance)).numInstances(1).build();
    }

    private interface Step<T> {
        @Nullable T run();
    }

    /**
     * Runs a step of counting a request. If the step fails with the status 400, adds the path of the request to the
     * error; a lenient count notes the error in the tally instead, and returns null.
     */
    private <T> @Nullable T withPath(CountedRequest request, Tally tally, Step<T> step) {
        try {
            return step.run();
        } catch (ApiFault fault) {
            ErrorCode code = fault.error().code();
            if (code.status() != 400) {
                throw fault;
            }
            if (isLenient) {
                tally.refuse(fault.error().detail());
                return null;
            }
            throw new ApiFault(code, request.path() + ".request_spec: " + fault.error().detail());
        }
    }

    /**
     * Counts requests, whose fills one call of placement returns. Requests whose hosts depend on each other need
     * further calls.
     */
    private void count(List<PlannedRequest> batch) {
        if (batch.isEmpty()) {
            return;
        }
        if (snapshot.deadline().isUp()) {
            batch.forEach(each -> each.tally().markIncomplete(TIME));
            return;
        }
        List<FleetQuery> queries = new ArrayList<>();
        batch.forEach(each -> queries.addAll(each.fills()));
        boolean withHosts = batch.size() == 1 && batch.getFirst().needsHosts();
        int firstCandidates = queries.size();
        if (withHosts) {
            queries.addAll(batch.getFirst().candidates());
        }
        FleetResults results;
        try {
            results = snapshot.ask(queries);
        } catch (ApiFault fault) {
            handleRefusal(batch, fault);
            return;
        }
        Roots roots = new Roots(results.roots());
        int next = 0;
        for (PlannedRequest planned : batch) {
            FillCounts first = results.fill(next++);
            FillCounts second = planned.queries().fallback() == null ? null : results.fill(next++);
            AllocationCandidates candidates = withHosts ? candidates(results, firstCandidates, queries.size()) : null;
            boolean isComplete = first != null
                    && (planned.queries().fallback() == null || second != null)
                    && (candidates != null || !withHosts);
            if (first == null || !isComplete || snapshot.deadline().isUp()) {
                planned.tally().markIncomplete(TIME);
            } else {
                withPath(planned.request(), planned.tally(), () -> {
                    count(planned, roots, first, second, candidates);
                    return null;
                });
            }
        }
        cutIfFleetChanged(batch.stream().map(PlannedRequest::tally).toList());
    }

    /**
     * Joins the candidates of the queries with the indexes from {@code from} to before {@code to}. Returns null if
     * placement did not evaluate one of these queries, because the time was up.
     */
    private static @Nullable AllocationCandidates candidates(FleetResults results, int from, int to) {
        AllocationCandidates all = AllocationCandidates.NONE;
        for (int i = from; i < to; i++) {
            AllocationCandidates next = results.candidates(i);
            if (next == null) {
                return null;
            }
            all = all.followedBy(next);
        }
        return all;
    }

    /**
     * Handles a refusal by placement. Placement refuses all queries of a call if one is invalid, so each of several
     * requests is counted again by a call of its own. A single request is refused as invalid, or marked as incomplete
     * if only its response with candidates was too large. Throws {@code fault} if its code is another one.
     */
    private void handleRefusal(List<PlannedRequest> batch, ApiFault fault) {
        if (fault.error().code() != ErrorCode.REQUEST_INVALID) {
            throw fault;
        }
        if (batch.size() > 1) {
            batch.forEach(each -> count(List.of(each)));
            return;
        }
        PlannedRequest only = batch.getFirst();
        withPath(only.request(), only.tally(), () -> {
            if (only.needsHosts()) {
                // Throws if a query is invalid. If placement accepts the fills alone, the queries are valid, and only
                // the response with candidates was too large.
                snapshot.ask(only.fills());
                only.tally().markIncomplete("hosts: " + fault.error().detail());
                return null;
            }
            throw fault;
        });
    }

    /**
     * Counts one request, by the cheapest method that is exact for it.
     *
     * @param first how many claims each tree has room for, by the request's query
     * @param second how many claims each tree has room for, by the fallback query; null if there is none
     * @param candidates placement's candidates; null if {@link PlannedRequest#needsHosts} is false; then they are
     * queried only if a tree that could take instances has several providers or may use a sharing provider
     */
    private void count(
            PlannedRequest planned, Roots roots, FillCounts first, @Nullable FillCounts second,
            @Nullable AllocationCandidates candidates) {
        if (!first.complete() || second != null && !second.complete()) {
            planned.tally().markIncomplete(TIME);
        }
        RequestSpec spec = planned.queries().spec();
        EnabledFilters sensitiveFilters = planned.sensitiveFilters();
        Sensitivity maxSensitivity = sensitiveFilters.inOrder().stream()
                .map(HostFilter::sensitivity)
                .max(Sensitivity::compareTo)
                .orElse(Sensitivity.NOTHING);
        boolean hasSingleCandidates = first.single() && (second == null || second.single());
        // Hosts depend on each other if trees use the same sharing provider, by one query or by both; if a tree has
        // room by both queries; or if the verdict of a filter depends on the server group, or on the candidate that was
        // chosen among several.
        boolean areHostsDependent = !first.shared().isEmpty() || second != null && !second.shared().isEmpty()
                || second != null
                        && (overlap(first, second) || !Collections.disjoint(first.reached(), second.reached()))
                || maxSensitivity.compareTo(Sensitivity.GROUP) >= 0 && spec.instanceGroup() != null
                || maxSensitivity.compareTo(Sensitivity.CANDIDATES) >= 0 && !hasSingleCandidates;
        if (areHostsDependent) {
            new SequentialCounting(snapshot).fill(List.of(turn(planned)));
            return;
        }
        int[] counts = second == null ? first.counts() : larger(first.counts(), second.counts());
        PerHostCounting.InstanceSize[] sizes = new PerHostCounting.InstanceSize[roots.uuids.size()];
        HostState[] hosts = candidates == null && isFlat(first) && (second == null || isFlat(second))
                ? roots.hosts(spec)
                : hostsOf(planned, roots.uuids, candidates, sizes);
        if (hosts == null || spec.instanceGroup() != null && haveNodesOfOneService(hosts, counts)) {
            new SequentialCounting(snapshot).fill(List.of(turn(planned)));
            return;
        }
        var perHost = new PerHostCounting(
                snapshot.inputs(SchedulingInputs.Detail.COUNTS), spec, sensitiveFilters, planned.tally(),
                snapshot.deadline()::isUp);
        perHost.count(hosts, counts, i -> limitingDemand(i, first, second), i -> sizes[i]);
        DemandExclusions.report(snapshot, List.of(), planned.queries(), planned.tally());
    }

    /**
     * Returns whether several nodes of one compute service could take instances. A server group counts the members on
     * such nodes together, so these nodes depend on each other.
     *
     * @param hosts null for a tree without a host
     * @param counts the number of claims that placement has room for, by the index of the tree
     */
    private static boolean haveNodesOfOneService(HostState[] hosts, int[] counts) {
        Set<String> services = new HashSet<>();
        for (int i = 0; i < hosts.length; i++) {
            if (hosts[i] != null && counts[i] > 0 && !services.add(hosts[i].host())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the demand that prevents a further claim in a tree: of the fallback query if a demand of it does,
     * otherwise of the first query. Null if no demand is known to prevent a claim.
     *
     * @param root index of the tree's root
     */
    static @Nullable String limitingDemand(int root, FillCounts first, @Nullable FillCounts second) {
        FillCounts fill = second != null && second.stops()[root] >= 0 ? second : first;
        return fill.stops()[root] < 0 ? null : fill.demands().get(fill.stops()[root]);
    }

    /** Returns whether any tree could take instances by both queries. */
    private static boolean overlap(FillCounts first, FillCounts second) {
        for (int i = 0; i < first.counts().length; i++) {
            if (first.counts()[i] > 0 && second.counts()[i] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the larger count of each tree. */
    private static int[] larger(int[] first, int[] second) {
        int[] larger = first.clone();
        Arrays.setAll(larger, i -> Math.max(first[i], second[i]));
        return larger;
    }

    /** Returns whether each tree that could take instances is a single provider and uses no sharing provider. */
    private static boolean isFlat(FillCounts fill) {
        for (int root : fill.nested()) {
            if (fill.counts()[root] > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the filters whose verdict may change once instances of the request are placed. */
    static EnabledFilters findSensitiveFilters(RequestSpec spec, SchedulingInputs inputs) {
        RequestSpec afterPlacement = withFurtherMember(spec);
        Options options = inputs.options();
        return new EnabledFilters(inputs.filtersOf(spec).inOrder().stream()
                .filter(filter -> filter.sensitivity() != Sensitivity.NOTHING)
                .filter(filter -> filter.prepare(spec, options) != HostCheck.PASS
                        || filter.prepare(afterPlacement, options) != HostCheck.PASS)
                .toList());
    }

    /** Returns the request as if its server group had a further member on an unknown host. */
    private static RequestSpec withFurtherMember(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        return group == null
                ? spec
                : spec.toBuilder()
                        .instanceGroup(group.withHost("").withMembers(List.of("")))
                        .build();
    }

    /**
     * Returns the states of hosts by the index of their tree's root, from placement's candidates and the registry.
     * Returns null if several hosts have candidates in one tree, because these hosts depend on each other. If the time
     * is up, marks the tally as incomplete and returns an array without hosts.
     *
     * @param received placement's candidates; null: queries placement
     * @param sizes receives the amounts of the host's first candidate, by the index of the root
     */
    private @Nullable HostState[] hostsOf(
            PlannedRequest planned, List<String> uuids, @Nullable AllocationCandidates received,
            PerHostCounting.InstanceSize[] sizes) {
        AllocationCandidates candidates = received;
        if (candidates == null) {
            List<FleetQuery> queries = planned.candidates();
            candidates = candidates(snapshot.ask(queries), 0, queries.size());
        }
        HostState[] hosts = new HostState[uuids.size()];
        if (candidates == null) {
            planned.tally().markIncomplete(TIME);
            return hosts;
        }
        Map<String, Integer> indexes = Roots.indexes(uuids);
        for (HostState host : snapshot.hosts(candidates, planned.queries())) {
            int position = candidates.positionOf(String.valueOf(host.uuid()));
            int index = position < 0 ? -1 : indexes.getOrDefault(candidates.tree(position).rootUuid(), -1);
            if (index < 0) {
                continue;
            }
            if (!host.allocationCandidates().isEmpty()) {
                if (sizes[index] != null) {
                    return null;
                }
                hosts[index] = host;
                sizes[index] = sizeOf(candidates.tree(position), host.allocationCandidates().getFirst());
            } else if (hosts[index] == null) {
                hosts[index] = host;
            }
        }
        return hosts;
    }

    /**
     * Sums the amounts that a candidate takes from the providers of the tree. Amounts from sharing providers of other
     * trees are left out, because they are not part of the host's usage.
     */
    private static PerHostCounting.InstanceSize sizeOf(ProviderTree tree, AllocationCandidate candidate) {
        Map<String, Long> sums = new HashMap<>();
        candidate.allocations().forEach((provider, amounts) -> {
            if (tree.find(provider) != null) {
                amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
            }
        });
        return new PerHostCounting.InstanceSize(
                sums.getOrDefault("VCPU", 0L), sums.getOrDefault("MEMORY_MB", 0L), sums.getOrDefault("DISK_GB", 0L));
    }

    private static SequentialCounting.RequestTurn turn(PlannedRequest planned) {
        return new SequentialCounting.RequestTurn(planned.queries(), planned.tally(), planned.request().proportion());
    }

    /**
     * The hosts of trees with one provider, by the index of their root. A root that is a registered compute node has
     * the node's host; another root is a host with the provider's name. Built once for all requests of a batch.
     */
    private final class Roots {
        private final List<String> uuids;
        private @Nullable HostState[] hosts;

        Roots(List<String> uuids) {
            this.uuids = uuids;
        }

        /**
         * Returns the hosts; null for a tree that has none. If a filter of the request reads facts of another service,
         * such as trust levels, the hosts have these facts.
         */
        HostState[] hosts(RequestSpec spec) {
            if (hosts == null) {
                hosts = build();
            }
            List<HostState> present = Arrays.stream(hosts).filter(host -> host != null).toList();
            List<HostState> presentWithFacts = snapshot.withFacts(spec, present);
            if (presentWithFacts == present) {
                return hosts;
            }
            HostState[] withFacts = new HostState[hosts.length];
            int next = 0;
            for (int i = 0; i < hosts.length; i++) {
                withFacts[i] = hosts[i] == null ? null : presentWithFacts.get(next++);
            }
            return withFacts;
        }

        private HostState[] build() {
            HostState[] built = new HostState[uuids.size()];
            Map<String, Integer> indexes = indexes(uuids);
            for (HostState host : snapshot.registeredHosts(null)) {
                int index = indexes.getOrDefault(String.valueOf(host.uuid()), -1);
                if (index >= 0) {
                    built[index] = host.withCandidates(ONE_WITHOUT_AMOUNTS);
                }
            }
            Set<String> unregistered = new HashSet<>();
            for (int i = 0; i < built.length; i++) {
                if (built[i] == null && !snapshot.isRegistered(uuids.get(i))) {
                    unregistered.add(uuids.get(i));
                }
            }
            if (!unregistered.isEmpty()) {
                for (HostState host : snapshot.unregisteredHosts(unregistered)) {
                    built[Maps.require(indexes, String.valueOf(host.uuid()))] =
                            host.withCandidates(ONE_WITHOUT_AMOUNTS);
                }
            }
            return built;
        }

        /** Returns the index of each uuid. */
        static Map<String, Integer> indexes(List<String> uuids) {
            Map<String, Integer> indexes = HashMap.newHashMap(uuids.size());
            for (int i = 0; i < uuids.size(); i++) {
                indexes.put(uuids.get(i), i);
            }
            return indexes;
        }
    }
}
