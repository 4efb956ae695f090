package io.berth.scheduler.capacity;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetAnswers;
import io.berth.scheduler.job.FleetAsk;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderTree;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.HostFilter.Heeds;
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
 * Counts how many instances of each request would be placed one after the other, each by a request of its own, on a
 * copy of the cloud. Used once, on the analysis worker.
 *
 * <p>There are three methods, each exact, and the cheapest that is exact is used: if no filter depends on placements
 * and trees do not share, placement's count of each tree, for the hosts that pass the filters; if filters depend on
 * placements on their host, each host by itself, instance after instance; if hosts depend on each other,
 * {@link OneByOne}. All filters are the enabled ones, all search is placement's, and a host with an instance more is
 * {@code decision.Consumption}'s, as between the instances of one request.
 */
public final class Counting {
    /** Limits the fills of one call, two per request at most, and so the memory held at a time. */
    private static final int FILLS_AT_ONCE = 200;

    private static final String TIME = "time";
    /** One candidate without amounts: the claim takes the flavor's amounts from a single provider. */
    private static final List<AllocationCandidate> CLAIMED = List.of(AllocationCandidate.NONE);

    private final Snapshot snapshot;
    private final Split split;
    private final boolean lenient;
    private final List<Tally> tallies = new ArrayList<>();

    /**
     * One request in progress.
     *
     * @param heeding filters whose verdict may change once an instance is placed
     */
    private record Planned(Wanted wanted, Tally tally, Queries queries, EnabledFilters heeding) {
        /** Returns whether its hosts must be read from placement; those responses are large. */
        boolean needsHosts() {
            return !heeding.inOrder().isEmpty()
                    || !queries.namesByUuid().isEmpty()
                    || queries.spec().requestedDestination() != null;
        }

        List<FleetAsk> candidates() {
            return queries.withoutLimit().all().stream().<FleetAsk>map(FleetAsk.Candidates::new).toList();
        }

        List<FleetAsk> fills() {
            return FleetAsk.fills(queries, wanted.max());
        }
    }

    Counting(Snapshot snapshot, Split split) {
        this(snapshot, split, false);
    }

    private Counting(Snapshot snapshot, Split split, boolean lenient) {
        this.snapshot = snapshot;
        this.split = split;
        this.lenient = lenient;
    }

    /**
     * Creates a count for requests that were valid when they were stored: one that is invalid by now is refused in its
     * tally, the others are counted.
     */
    static Counting leniently(Snapshot snapshot, Split split) {
        return new Counting(snapshot, split, true);
    }

    /**
     * Returns tallies in the order of the requests. Throws ApiFault with the path of a request that decisions would
     * reject as invalid.
     */
    List<Tally> each(List<Wanted> requests) {
        List<Planned> together = new ArrayList<>();
        int fills = 0;
        for (Wanted wanted : requests) {
            Planned planned = plan(wanted);
            if (planned == null) {
                continue;
            }
            if (planned.needsHosts()) {
                count(List.of(planned));
                continue;
            }
            int more = planned.fills().size();
            if (fills + more > FILLS_AT_ONCE) {
                count(together);
                together.clear();
                fills = 0;
            }
            together.add(planned);
            fills += more;
        }
        count(together);
        return tallies;
    }

    /** Fills all of them in turns, each in its proportion, until the first that finds no host. */
    List<Tally> jointly(List<Wanted> requests) {
        List<OneByOne.Turn> turns = new ArrayList<>();
        for (Wanted wanted : requests) {
            Planned planned = plan(wanted);
            turns.add(planned == null
                    ? new OneByOne.Turn(null, tallies.getLast(), wanted.proportion())
                    : turn(planned));
        }
        if (tallies.stream().allMatch(Tally::isComplete)) {
            new OneByOne(snapshot).fill(turns);
        } else {
            tallies.forEach(each -> each.cut(TIME));
        }
        cutIfMoved(tallies);
        return tallies;
    }

    private void cutIfMoved(List<Tally> some) {
        if (snapshot.hasMoved()) {
            some.forEach(each -> each.cut("the fleet changed while placement was asked several times"));
        }
    }

    /** Returns null if the result is known without placement. */
    private @Nullable Planned plan(Wanted wanted) {
        Tally tally = new Tally(wanted.max(), split.parts());
        tallies.add(tally);
        tally.warn(snapshot.warnings(wanted.request().spec()));
        if (snapshot.deadline().isUp()) {
            tally.cut(TIME);
            return null;
        }
        HostSearch.Planned planned =
                at(wanted, tally, () -> snapshot.plan(alone(wanted.request().spec()), wanted.request().open()));
        return switch (planned) {
            case null -> null;
            case Queries queries -> new Planned(
                    wanted, tally, queries, heeding(queries.spec(), snapshot.inputs(SchedulingInputs.Detail.COUNTS)));
            case HostSearch.Refused(_, String detail, _) -> {
                tally.refuse(detail);
                tally.stop("request", snapshot.registry().computeNodeCount());
                yield null;
            }
        };
    }

    /** Returns the request for one unknown instance, whichever the request names. */
    private static RequestSpec alone(RequestSpec spec) {
        String instance = UUID.randomUUID().toString();
        return spec.toBuilder().instanceUuid(instance).instanceUuids(List.of(instance)).numInstances(1).build();
    }

    private interface Step<T> {
        T take();
    }

    /** Adds the path of the request to the error of a step. Returns null if the error went to the tally instead. */
    private <T> @Nullable T at(Wanted wanted, Tally tally, Step<T> step) {
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
            throw new ApiFault(code, wanted.path() + ".request_spec: " + fault.error().detail());
        }
    }

    private void count(List<Planned> together) {
        if (together.isEmpty()) {
            return;
        }
        if (snapshot.deadline().isUp()) {
            together.forEach(each -> each.tally().cut(TIME));
            return;
        }
        List<FleetAsk> asks = new ArrayList<>();
        together.forEach(each -> asks.addAll(each.fills()));
        boolean withHosts = together.size() == 1 && together.getFirst().needsHosts();
        int candidates = asks.size();
        if (withHosts) {
            asks.addAll(together.getFirst().candidates());
        }
        FleetAnswers answers;
        try {
            answers = snapshot.ask(asks);
        } catch (ApiFault fault) {
            refused(together, fault);
            return;
        }
        Roots roots = new Roots(answers.roots());
        int ask = 0;
        for (Planned planned : together) {
            FillCounts first = answers.fill(ask++);
            FillCounts second = planned.queries().fallback() == null ? null : answers.fill(ask++);
            AllocationCandidates offered = withHosts ? candidates(answers, candidates, asks.size()) : null;
            boolean answered = first != null
                    && (planned.queries().fallback() == null || second != null)
                    && (offered != null || !withHosts);
            if (!answered || snapshot.deadline().isUp()) {
                planned.tally().cut(TIME);
            } else {
                at(planned.wanted(), planned.tally(), () -> {
                    count(planned, roots, first, second, offered);
                    return null;
                });
            }
        }
        cutIfMoved(together.stream().map(Planned::tally).toList());
    }

    /** Joins the responses of this range. Returns null if the time was up. */
    private static @Nullable AllocationCandidates candidates(FleetAnswers answers, int from, int to) {
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

    /** Queries each request alone: placement refused one of the queries, and so all of them. */
    private void refused(List<Planned> together, ApiFault fault) {
        if (fault.error().code() != ErrorCode.REQUEST_INVALID) {
            throw fault;
        }
        if (together.size() > 1) {
            together.forEach(each -> count(List.of(each)));
            return;
        }
        Planned only = together.getFirst();
        at(only.wanted(), only.tally(), () -> {
            if (only.needsHosts()) {
                // If the queries are valid, the response would be too large.
                snapshot.ask(only.fills());
                only.tally().cut("hosts: " + fault.error().detail());
                return null;
            }
            throw fault;
        });
    }

    /** @param offered placement's candidates, if hosts must be read with them */
    private void count(
            Planned planned, Roots roots, FillCounts first, @Nullable FillCounts second, @Nullable AllocationCandidates offered) {
        if (!first.complete() || second != null && !second.complete()) {
            planned.tally().cut(TIME);
        }
        RequestSpec spec = planned.queries().spec();
        EnabledFilters heeding = planned.heeding();
        Heeds most = heeding.inOrder().stream().map(HostFilter::heeds).max(Heeds::compareTo).orElse(Heeds.NOTHING);
        boolean single = first.single() && (second == null || second.single());
        boolean dependent = !first.shared().isEmpty() || second != null && !second.shared().isEmpty()
                || second != null && (overlap(first, second) || !Collections.disjoint(first.reached(), second.reached()))
                || most.compareTo(Heeds.GROUP) >= 0 && spec.instanceGroup() != null
                || most.compareTo(Heeds.CANDIDATES) >= 0 && !single;
        if (dependent) {
            new OneByOne(snapshot).fill(List.of(turn(planned)));
            return;
        }
        int[] counts = second == null ? first.counts() : more(first.counts(), second.counts());
        EachHost.Taken[] taken = new EachHost.Taken[roots.uuids.size()];
        HostState[] hosts = offered == null && isFlat(first) && (second == null || isFlat(second))
                ? roots.hosts(spec)
                : offered(planned, roots.uuids, offered, taken);
        if (hosts == null || spec.instanceGroup() != null && areOfOneService(hosts, counts)) {
            new OneByOne(snapshot).fill(List.of(turn(planned)));
            return;
        }
        var each = new EachHost(
                snapshot.inputs(SchedulingInputs.Detail.COUNTS), spec, heeding, planned.tally(),
                snapshot.deadline()::isUp);
        each.count(hosts, counts, i -> stop(i, first, second), i -> taken[i]);
        RuledOut.report(snapshot, List.of(), planned.queries(), planned.tally());
    }

    /** Returns whether several nodes of a compute service take instances: a server group counts them together. */
    private static boolean areOfOneService(@Nullable HostState[] hosts, int[] counts) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < hosts.length; i++) {
            if (hosts[i] != null && counts[i] > 0 && !seen.add(hosts[i].host())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the demand that placement cannot meet next on that root; null if there is none. */
    static @Nullable String stop(int root, FillCounts first, @Nullable FillCounts second) {
        FillCounts by = second != null && second.stops()[root] >= 0 ? second : first;
        return by.stops()[root] < 0 ? null : by.demands().get(by.stops()[root]);
    }

    /** Returns whether any tree would take instances by both queries. */
    private static boolean overlap(FillCounts first, FillCounts second) {
        for (int i = 0; i < first.counts().length; i++) {
            if (first.counts()[i] > 0 && second.counts()[i] > 0) {
                return true;
            }
        }
        return false;
    }

    private static int[] more(int[] some, int[] others) {
        int[] more = some.clone();
        Arrays.setAll(more, i -> Math.max(some[i], others[i]));
        return more;
    }

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
                .filter(filter -> filter.heeds() != Heeds.NOTHING)
                .filter(filter -> filter.prepare(spec, options) != HostCheck.PASS
                        || filter.prepare(later, options) != HostCheck.PASS)
                .toList());
    }

    /** Returns the request as it is when its group has another member somewhere. */
    private static RequestSpec placedOnce(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        return group == null
                ? spec
                : spec.toBuilder()
                        .instanceGroup(group.withHost("").withMembers(List.of("")))
                        .build();
    }

    /**
     * Returns the hosts as placement and registry have them, by the index of their tree; null if a tree has several,
     * which compete for it.
     *
     * @param taken receives by the same index what the first candidate takes there
     */
    private @Nullable HostState[] offered(
            Planned planned, List<String> uuids, @Nullable AllocationCandidates known, EachHost.Taken[] taken) {
        AllocationCandidates found = known;
        if (found == null) {
            List<FleetAsk> asks = planned.candidates();
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

    /** Sums the amounts from the tree itself: amounts of sharing providers do not count for the host. */
    private static EachHost.Taken taken(ProviderTree tree, AllocationCandidate candidate) {
        Map<String, Long> sums = new HashMap<>();
        candidate.allocations().forEach((provider, amounts) -> {
            if (tree.find(provider) != null) {
                amounts.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
            }
        });
        return new EachHost.Taken(
                sums.getOrDefault("VCPU", 0L), sums.getOrDefault("MEMORY_MB", 0L), sums.getOrDefault("DISK_GB", 0L));
    }

    private static OneByOne.Turn turn(Planned planned) {
        return new OneByOne.Turn(planned.queries(), planned.tally(), planned.wanted().proportion());
    }

    /** Hosts of flat trees, by the index of their root: as registered, or by name. */
    private final class Roots {
        private final List<String> uuids;
        private @Nullable HostState[] hosts;

        Roots(List<String> uuids) {
            this.uuids = uuids;
        }

        HostState[] hosts(RequestSpec spec) {
            if (hosts == null) {
                hosts = find();
            }
            List<HostState> there = Arrays.stream(hosts).filter(host -> host != null).toList();
            List<HostState> attested = snapshot.withFacts(spec, there);
            if (attested == there) {
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
