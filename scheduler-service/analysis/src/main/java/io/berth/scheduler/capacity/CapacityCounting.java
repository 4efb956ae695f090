package io.berth.scheduler.capacity;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.HostFilter.Sensitivity;
import io.berth.scheduler.spi.HostFilter;
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
 * separate request. For one use, on the analysis worker.
 *
 * <p>Uses the cheapest of three methods that is exact for the request. If no filter depends on placements and trees do
 * not share providers, uses placement's count for each tree whose host passes the filters. If filters depend on
 * placements on their own host, {@link PerHostCounting} fills each host by itself. If hosts depend on each other,
 * {@link SequentialCounting} places one instance after the other. All methods use the enabled filters and placement's
 * search, and {@code decision.Consumption} to compute a host with one more instance.
 */
public final class CapacityCounting {
    /**
     * The maximum fills in one call of placement, which bounds the memory of the response. A counted request has one or
     * two.
     */
    private static final int FILLS_AT_ONCE = 200;

    /** The reason for which a tally is cut at the deadline. */
    private static final String TIME = "time";
    /** One candidate without amounts: the host then loses the flavor's amounts, from a single provider. */
    private static final List<AllocationCandidate> CLAIMED = List.of(AllocationCandidate.NONE);

    private final Snapshot snapshot;
    private final Split split;
    private final boolean lenient;
    private final List<Tally> tallies = new ArrayList<>();

    /**
     * One request in progress.
     *
     * @param sensitiveFilters filters whose verdict may change once an instance of the request is placed
     */
    private record Planned(CountedRequest request, Tally tally, Queries queries, EnabledFilters sensitiveFilters) {
        /** Returns whether host states must be built from placement's candidates. Such responses are large. */
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

    private CapacityCounting(Snapshot snapshot, Split split, boolean lenient) {
        this.snapshot = snapshot;
        this.split = split;
        this.lenient = lenient;
    }

    /**
     * Creates a count that does not fail for an invalid request, but marks its tally as refused and counts the other
     * ones. For requests that were valid when they were stored.
     */
    static CapacityCounting leniently(Snapshot snapshot, Split split) {
        return new CapacityCounting(snapshot, split, true);
    }

    /**
     * Counts each request as if there were no other ones. Returns tallies in the order of the requests. Throws ApiFault
     * (400) with the path of a request that a decision would refuse as invalid.
     */
    List<Tally> each(List<CountedRequest> requests) {
        List<Planned> batch = new ArrayList<>();
        int fills = 0;
        for (CountedRequest request : requests) {
            Planned planned = plan(request);
            if (planned == null) {
                continue;
            }
            if (planned.needsHosts()) {
                count(List.of(planned));
                continue;
            }
            int added = planned.fills().size();
            if (fills + added > FILLS_AT_ONCE) {
                count(batch);
                batch.clear();
                fills = 0;
            }
            batch.add(planned);
            fills += added;
        }
        count(batch);
        return tallies;
    }

    /**
     * Places instances of all requests in turns, of each as many as its proportion says, until an instance finds no
     * host. Returns tallies in the order of the requests.
     */
    List<Tally> jointly(List<CountedRequest> requests) {
        List<SequentialCounting.RequestTurn> turns = new ArrayList<>();
        for (CountedRequest request : requests) {
            Planned planned = plan(request);
            turns.add(planned == null
                    ? new SequentialCounting.RequestTurn(null, tallies.getLast(), request.proportion())
                    : turn(planned));
        }
        if (tallies.stream().allMatch(Tally::isComplete)) {
            new SequentialCounting(snapshot).fill(turns);
        } else {
            tallies.forEach(each -> each.cut(TIME));
        }
        cutIfFleetChanged(tallies);
        return tallies;
    }

    /** Marks the tallies as incomplete if the fleet changed between two calls of placement. */
    private void cutIfFleetChanged(List<Tally> some) {
        if (snapshot.hasMoved()) {
            some.forEach(each -> each.cut("the fleet changed while placement was asked several times"));
        }
    }

    /** Plans a request and adds its tally. Returns null if the request is not counted and its tally is final. */
    private @Nullable Planned plan(CountedRequest request) {
        Tally tally = new Tally(request.max(), split.parts());
        tallies.add(tally);
        tally.warn(snapshot.warnings(request.request().spec()));
        if (snapshot.deadline().isUp()) {
            tally.cut(TIME);
            return null;
        }
        HostSearch.Planned planned =
                withPath(request, tally,
                        () -> snapshot.plan(forOneInstance(request.request().spec()), request.request().toDerive()));
        return switch (planned) {
            case null -> null;
            case Queries queries -> new Planned(
                    request, tally, queries, heeding(queries.spec(), snapshot.inputs(SchedulingInputs.Detail.COUNTS)));
            case HostSearch.Refused(_, String detail, _) -> {
                tally.refuse(detail);
                tally.stop("request", snapshot.registry().computeNodeCount());
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
        T take();
    }

    /**
     * Runs a step. Adds the path of the request to an error 400; a lenient count notes the error in the tally and
     * returns null.
     */
    private <T> @Nullable T withPath(CountedRequest request, Tally tally, Step<T> step) {
        try {
            return step.take();
        } catch (ApiFault fault) {
            ErrorCode code = fault.error().code();
            if (code.status() != 400) {
                throw fault;
            }
            if (lenient) {
                tally.refuse(fault.error().detail());
                return null;
            }
            throw new ApiFault(code, request.path() + ".request_spec: " + fault.error().detail());
        }
    }

    /** Counts requests with one call of placement. */
    private void count(List<Planned> batch) {
        if (batch.isEmpty()) {
            return;
        }
        if (snapshot.deadline().isUp()) {
            batch.forEach(each -> each.tally().cut(TIME));
            return;
        }
        List<FleetQuery> asks = new ArrayList<>();
        batch.forEach(each -> asks.addAll(each.fills()));
        boolean withHosts = batch.size() == 1 && batch.getFirst().needsHosts();
        int candidates = asks.size();
        if (withHosts) {
            asks.addAll(batch.getFirst().candidates());
        }
        FleetResults answers;
        try {
            answers = snapshot.ask(asks);
        } catch (ApiFault fault) {
            refused(batch, fault);
            return;
        }
        Roots roots = new Roots(answers.roots());
        int ask = 0;
        for (Planned planned : batch) {
            FillCounts first = answers.fill(ask++);
            FillCounts second = planned.queries().fallback() == null ? null : answers.fill(ask++);
            AllocationCandidates offered = withHosts ? candidates(answers, candidates, asks.size()) : null;
            boolean answered = first != null
                    && (planned.queries().fallback() == null || second != null)
                    && (offered != null || !withHosts);
            if (!answered || snapshot.deadline().isUp()) {
                planned.tally().cut(TIME);
            } else {
                withPath(planned.request(), planned.tally(), () -> {
                    count(planned, roots, first, second, offered);
                    return null;
                });
            }
        }
        cutIfFleetChanged(batch.stream().map(Planned::tally).toList());
    }

    /** Joins the candidates of the queries from {@code from} to before {@code to}. Returns null if the time was up. */
    private static @Nullable AllocationCandidates candidates(FleetResults answers, int from, int to) {
        AllocationCandidates all = AllocationCandidates.NONE;
        for (int i = from; i < to; i++) {
            AllocationCandidates next = answers.candidates(i);
            if (next == null) {
                return null;
            }
            all = all.followedBy(next);
        }
        return all;
    }

    /**
     * Handles a refusal by placement, which refuses all queries of a call if one is invalid: counts each request alone.
     */
    private void refused(List<Planned> batch, ApiFault fault) {
        if (fault.error().code() != ErrorCode.REQUEST_INVALID) {
            throw fault;
        }
        if (batch.size() > 1) {
            batch.forEach(each -> count(List.of(each)));
            return;
        }
        Planned only = batch.getFirst();
        withPath(only.request(), only.tally(), () -> {
            if (only.needsHosts()) {
                // If the fills are accepted, the queries are valid, and only the response with candidates is too large.
                snapshot.ask(only.fills());
                only.tally().cut("hosts: " + fault.error().detail());
                return null;
            }
            throw fault;
        });
    }

    /**
     * Counts one request.
     *
     * @param first placement's counts by the query
     * @param second placement's counts by the fallback query; null if there is none
     * @param offered placement's candidates; null if host states are not built from them
     */
    private void count(
            Planned planned, Roots roots, FillCounts first, @Nullable FillCounts second,
            @Nullable AllocationCandidates offered) {
        if (!first.complete() || second != null && !second.complete()) {
            planned.tally().cut(TIME);
        }
        RequestSpec spec = planned.queries().spec();
        EnabledFilters heeding = planned.sensitiveFilters();
        Sensitivity strongest = heeding.inOrder().stream().map(HostFilter::sensitivity).max(Sensitivity::compareTo)
                .orElse(Sensitivity.NOTHING);
        boolean single = first.single() && (second == null || second.single());
        boolean dependent = !first.shared().isEmpty() || second != null && !second.shared().isEmpty()
                || second != null
                        && (overlap(first, second) || !Collections.disjoint(first.reached(), second.reached()))
                || strongest.compareTo(Sensitivity.GROUP) >= 0 && spec.instanceGroup() != null
                || strongest.compareTo(Sensitivity.CANDIDATES) >= 0 && !single;
        if (dependent) {
            new SequentialCounting(snapshot).fill(List.of(turn(planned)));
            return;
        }
        int[] counts = second == null ? first.counts() : larger(first.counts(), second.counts());
        PerHostCounting.InstanceSize[] taken = new PerHostCounting.InstanceSize[roots.uuids.size()];
        HostState[] hosts = offered == null && isFlat(first) && (second == null || isFlat(second))
                ? roots.hosts(spec)
                : offered(planned, roots.uuids, offered, taken);
        if (hosts == null || spec.instanceGroup() != null && areOfOneService(hosts, counts)) {
            new SequentialCounting(snapshot).fill(List.of(turn(planned)));
            return;
        }
        var each = new PerHostCounting(
                snapshot.inputs(SchedulingInputs.Detail.COUNTS), spec, heeding, planned.tally(),
                snapshot.deadline()::isUp);
        each.count(hosts, counts, i -> stop(i, first, second), i -> taken[i]);
        DemandExclusions.report(snapshot, List.of(), planned.queries(), planned.tally());
    }

    /**
     * Returns whether several nodes of one compute service could take instances. A server group counts such nodes
     * together.
     */
    private static boolean areOfOneService(@Nullable HostState[] hosts, int[] counts) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < hosts.length; i++) {
            if (hosts[i] != null && counts[i] > 0 && !seen.add(hosts[i].host())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the demand that prevents a further claim in a tree; null if there is none.
     *
     * @param root index of the tree's root
     */
    static @Nullable String stop(int root, FillCounts first, @Nullable FillCounts second) {
        FillCounts by = second != null && second.stops()[root] >= 0 ? second : first;
        return by.stops()[root] < 0 ? null : by.demands().get(by.stops()[root]);
    }

    /** Returns whether a tree could take instances by both queries. */
    private static boolean overlap(FillCounts first, FillCounts second) {
        for (int i = 0; i < first.counts().length; i++) {
            if (first.counts()[i] > 0 && second.counts()[i] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the larger count of each tree. */
    private static int[] larger(int[] some, int[] others) {
        int[] larger = some.clone();
        Arrays.setAll(larger, i -> Math.max(some[i], others[i]));
        return larger;
    }

    /** Returns whether each tree that could take instances has one provider and uses no sharing one. */
    private static boolean isFlat(FillCounts fill) {
        for (int root : fill.nested()) {
            if (fill.counts()[root] > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the filters whose verdict may change once instances of the request are placed. */
    static EnabledFilters heeding(RequestSpec spec, SchedulingInputs inputs) {
        RequestSpec later = placedOnce(spec);
        Options options = inputs.options();
        return new EnabledFilters(inputs.filtersOf(spec).inOrder().stream()
                .filter(filter -> filter.sensitivity() != Sensitivity.NOTHING)
                .filter(filter -> filter.prepare(spec, options) != HostCheck.PASS
                        || filter.prepare(later, options) != HostCheck.PASS)
                .toList());
    }

    /** Returns the request as if its server group had a further member on an unknown host. */
    private static RequestSpec placedOnce(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        return group == null
                ? spec
                : spec.toBuilder()
                        .instanceGroup(group.withHost("").withMembers(List.of("")))
                        .build();
    }

    /**
     * Returns host states as placement and registry have them, by the index of their tree's root; null if several hosts
     * have candidates in one tree, for which they compete.
     *
     * @param known placement's candidates; null: queries placement
     * @param taken gets by the same index the amounts of the host's first candidate
     */
    private @Nullable HostState[] offered(
            Planned planned, List<String> uuids, @Nullable AllocationCandidates known,
            PerHostCounting.InstanceSize[] taken) {
        AllocationCandidates found = known;
        if (found == null) {
            List<FleetQuery> asks = planned.candidates();
            found = candidates(snapshot.ask(asks), 0, asks.size());
        }
        HostState[] hosts = new HostState[uuids.size()];
        if (found == null) {
            planned.tally().cut(TIME);
            return hosts;
        }
        Map<String, Integer> indexes = Roots.indexes(uuids);
        for (HostState host : snapshot.hosts(found, planned.queries())) {
            int position = found.positionOf(String.valueOf(host.uuid()));
            int index = position < 0 ? -1 : indexes.getOrDefault(found.tree(position).rootUuid(), -1);
            if (index < 0) {
                continue;
            }
            if (!host.allocationCandidates().isEmpty()) {
                if (taken[index] != null) {
                    return null;
                }
                hosts[index] = host;
                taken[index] = taken(found.tree(position), host.allocationCandidates().getFirst());
            } else if (hosts[index] == null) {
                hosts[index] = host;
            }
        }
        return hosts;
    }

    /**
     * Sums the amounts that a candidate takes from the tree itself, not from sharing providers, which do not count for
     * the host.
     */
    private static PerHostCounting.InstanceSize taken(ProviderTree tree, AllocationCandidate candidate) {
        Map<String, Long> sums = new HashMap<>();
        candidate.allocations().forEach((provider, amounts) -> {
            if (tree.find(provider) != null) {
                amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
            }
        });
        return new PerHostCounting.InstanceSize(
                sums.getOrDefault("VCPU", 0L), sums.getOrDefault("MEMORY_MB", 0L), sums.getOrDefault("DISK_GB", 0L));
    }

    private static SequentialCounting.RequestTurn turn(Planned planned) {
        return new SequentialCounting.RequestTurn(planned.queries(), planned.tally(), planned.request().proportion());
    }

    /**
     * The hosts of trees with one provider, by the index of their root: registered compute nodes, and other roots by
     * their name. Built once for several requests.
     */
    private final class Roots {
        private final List<String> uuids;
        private @Nullable HostState[] hosts;

        Roots(List<String> uuids) {
            this.uuids = uuids;
        }

        /** Returns the hosts, with facts of other services if filters of the request read some. */
        HostState[] hosts(RequestSpec spec) {
            if (hosts == null) {
                hosts = find();
            }
            List<HostState> present = Arrays.stream(hosts).filter(host -> host != null).toList();
            List<HostState> attested = snapshot.withFacts(spec, present);
            if (attested == present) {
                return hosts;
            }
            HostState[] trusted = new HostState[hosts.length];
            int next = 0;
            for (int i = 0; i < hosts.length; i++) {
                trusted[i] = hosts[i] == null ? null : attested.get(next++);
            }
            return trusted;
        }

        private HostState[] find() {
            HostState[] found = new HostState[uuids.size()];
            Map<String, Integer> indexes = indexes(uuids);
            for (HostState host : snapshot.registeredHosts(null)) {
                int index = indexes.getOrDefault(String.valueOf(host.uuid()), -1);
                if (index >= 0) {
                    found[index] = host.withCandidates(CLAIMED);
                }
            }
            Set<String> others = new HashSet<>();
            for (int i = 0; i < found.length; i++) {
                if (found[i] == null && !snapshot.isRegistered(uuids.get(i))) {
                    others.add(uuids.get(i));
                }
            }
            if (!others.isEmpty()) {
                for (HostState host : snapshot.unregisteredHosts(others)) {
                    found[indexes.get(String.valueOf(host.uuid()))] = host.withCandidates(CLAIMED);
                }
            }
            return found;
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
