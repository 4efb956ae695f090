package io.berth.scheduler.capacity;

import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostFacts;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.FleetUse;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.HostSearch.Queries;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Places one instance after the other, as requests would. Queries placement for candidates on the remaining capacity,
 * decides with filters and weighers, and subtracts the instance from the first host of the ranked list. Calls placement
 * at least once for each instance. When the time is up, the tallies have the count so far and are incomplete.
 */
final class SequentialCounting {
    private static final String ONE_BY_ONE =
            "time: hosts depend on each other, so that instances are placed one by one";

    private final Snapshot snapshot;

    /** The amounts of the placed instances, by provider uuid and resource class. */
    private final Map<String, Map<String, Long>> use = new LinkedHashMap<>();
    /** The state of each host on which an instance was placed, after the last placement. */
    private final Map<HostName, HostFacts> factsAfter = new HashMap<>();
    /** The server groups with the placed instances as members, by uuid. Several requests may have the same group. */
    private final Map<String, InstanceGroup> groups = new HashMap<>();

    SequentialCounting(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /**
     * One of the requests that take turns.
     *
     * @param queries the queries to placement; null if the request is known to find no host
     * @param proportion number of instances that are placed in each turn
     */
    record RequestTurn(@Nullable Queries queries, Tally tally, int proportion) {}

    /**
     * Places instances in turns, until a request finds no host or reaches its maximum, or the time is up. If the
     * options choose hosts at random, marks all tallies as incomplete.
     */
    void fill(List<RequestTurn> turns) {
        Map<RequestTurn, RequestSpec> nextSpecs = new HashMap<>();
        turns.forEach(turn -> turn.tally().markOneByOne());
        if (snapshot.choosesAtRandom()) {
            markAllIncomplete(turns, Snapshot.HOSTS_AT_RANDOM + ", so that another count may differ");
        }
        while (true) {
            for (RequestTurn turn : turns) {
                for (int i = 0; i < turn.proportion(); i++) {
                    Queries queries = turn.queries();
                    if (queries == null || turn.tally().isCapped()) {
                        return;
                    }
                    if (snapshot.deadline().isUp()) {
                        markAllIncomplete(turns, ONE_BY_ONE);
                        return;
                    }
                    RequestSpec following =
                            place(turns, turn, queries, nextSpecs.getOrDefault(turn, queries.spec()));
                    if (following == null) {
                        return;
                    }
                    nextSpecs.put(turn, following);
                }
            }
        }
    }

    /** Marks the tallies of all turns as incomplete. */
    private static void markAllIncomplete(List<RequestTurn> turns, String why) {
        turns.forEach(turn -> turn.tally().markIncomplete(why));
    }

    /**
     * Places one instance of {@code turn}. Returns the request for the next one; null if this instance found no host.
     * Also returns null if the time was up, and then marks the tallies of all {@code turns} as incomplete.
     */
    private @Nullable RequestSpec place(
            List<RequestTurn> turns, RequestTurn turn, Queries queries, RequestSpec request) {
        RequestSpec spec = withCurrentGroup(request);
        List<FleetUse> used = use();
        Scheduling scheduling = snapshot.decide(
                used, queries, snapshot.candidates(used, queries), candidates -> decide(spec, queries, candidates),
                each -> each.openRound().attempts().isEmpty());
        if (scheduling == null) {
            markAllIncomplete(turns, ONE_BY_ONE);
            return null;
        }
        List<RankedHost> attempts = scheduling.openRound().attempts();
        if (attempts.isEmpty()) {
            noteObstacles(turn, queries, scheduling.openRound());
            return null;
        }
        RankedHost chosen = attempts.getFirst();
        turn.tally().add(chosen.host(), 1);
        addUse(chosen.host().allocationCandidates().getFirst());
        Scheduling placed = scheduling.consume(chosen);
        factsAfter.put(HostName.of(chosen.host()), placed.done().getLast().after().facts());
        InstanceGroup group = placed.spec().instanceGroup();
        if (group != null && group.uuid() != null) {
            groups.put(group.uuid(), group);
        }
        return PerHostCounting.nextRequest(request, group);
    }

    /** Returns the request with its server group as it is now, including the instances that were placed so far. */
    private RequestSpec withCurrentGroup(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        InstanceGroup current = group == null || group.uuid() == null ? null : groups.get(group.uuid());
        return current == null
                ? spec
                : spec.toBuilder().instanceGroup(current.withMembers(spec.instanceUuids())).build();
    }

    /** Adds the candidate's amounts to {@link #use}. */
    private void addUse(AllocationCandidate candidate) {
        candidate.allocations().forEach((provider, resources) -> {
            Map<String, Long> held = use.computeIfAbsent(provider, key -> new LinkedHashMap<>());
            resources.forEach((name, amount) -> held.merge(name, amount, Long::sum));
        });
    }

    private List<FleetUse> use() {
        List<FleetUse> all = new ArrayList<>();
        use.forEach((provider, resources) -> all.add(new FleetUse(provider, resources)));
        return all;
    }

    private Scheduling decide(RequestSpec spec, Queries queries, AllocationCandidates candidates) {
        List<HostState> hosts = snapshot.hosts(candidates, queries).stream().map(this::withPlacements).toList();
        Scheduling scheduling = Scheduling.begin(spec, hosts, snapshot.inputs(SchedulingInputs.Detail.COUNTS));
        PerHostCounting.refuseError(scheduling.openRound());
        return scheduling;
    }

    /**
     * Returns a host with its state after the placements on it. The amounts are those of {@code host}, because
     * placement's response includes the placed instances. The number of I/O operations is that of {@code host}, too, as
     * if the builds had ended.
     */
    private HostState withPlacements(HostState host) {
        HostFacts facts = factsAfter.get(HostName.of(host));
        return facts == null
                ? host
                : new HostState(facts, host.allocationCandidates(), Limits.NONE).toBuilder()
                        .vcpusTotal(host.vcpusTotal())
                        .vcpusUsed(host.vcpusUsed())
                        .totalUsableRamMb(host.totalUsableRamMb())
                        .freeRamMb(host.freeRamMb())
                        .totalUsableDiskGb(host.totalUsableDiskGb())
                        .freeDiskMb(host.freeDiskMb())
                        .diskMbUsed(host.diskMbUsed())
                        .numIoOps(host.numIoOps())
                        .build();
    }

    /**
     * Adds to the tally what prevents a further instance: the filters and members of the request that removed hosts
     * with candidates, and for each full tree the demand that prevents a claim. If no instance was placed and there is
     * no such reason, adds the demands that exclude trees ({@link DemandExclusions}).
     */
    private void noteObstacles(RequestTurn turn, Queries queries, Round round) {
        PerHostCounting.noteRemovedHosts(round, turn.tally());
        List<FleetQuery> fills = FleetQuery.fills(queries, 1);
        FleetResults results = snapshot.ask(use(), fills);
        FillCounts first = results.fill(0);
        FillCounts second = fills.size() == 1 ? null : results.fill(1);
        for (int i = 0; first != null && i < first.counts().length; i++) {
            // No query has room in the tree, and for at least one of them it is full (0), not unsuitable (-1).
            boolean isFull = first.counts()[i] == 0 && (second == null || second.counts()[i] <= 0)
                    || first.counts()[i] < 0 && second != null && second.counts()[i] == 0;
            String demand = isFull ? CapacityCounting.limitingDemand(i, first, second) : null;
            if (demand != null) {
                turn.tally().addObstacle(demand, 1);
            }
        }
        DemandExclusions.report(snapshot, use(), queries, turn.tally());
    }
}
