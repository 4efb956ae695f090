package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.spi.HostFilter.Sensitivity;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the hosts with the fewest obstacles among all hosts. First computes, for every host, a lower bound of the
 * number of its obstacles. This is cheap, because it considers only whether placement has a candidate on the host, the
 * request's own restrictions, and the filters whose verdict does not depend on usage. Then evaluates hosts completely,
 * in the order of their bounds, until no other host can have fewer obstacles than the hosts that were found, or the
 * time for the search is up.
 */
final class Nearest {
    /** The maximum number of hosts that are returned. */
    private static final int NEAREST_MAX = 5;
    /** The number of hosts in one call of placement. */
    private static final int BATCH_HOSTS = 100;

    private final Snapshot snapshot;
    private final RequestSpecBody request;
    private final List<String> gaps = new ArrayList<>();

    /** A host and a lower bound of the number of its obstacles. */
    private record Bounded(Target target, int obstaclesMin) {}

    Nearest(Snapshot snapshot, RequestSpecBody request) {
        this.snapshot = snapshot;
        this.request = request;
    }

    /**
     * Returns at most {@value #NEAREST_MAX} hosts, those with the fewest obstacles first; hosts that placement does not
     * have come last. Leaves half of the time for the search for changes that would admit these hosts.
     */
    Evaluation find() {
        Duration reservedForChanges = snapshot.deadline().left().dividedBy(2);
        List<Bounded> bounded = bounded();
        List<Evaluation.Host> nearest = new ArrayList<>();
        @Nullable Decision decision = null;
        int evaluated = 0;
        while (evaluated < bounded.size() && !isFound(nearest, bounded.get(evaluated).obstaclesMin())) {
            if (evaluated > 0 && snapshot.deadline().left().compareTo(reservedForChanges) < 0) {
                gaps.add("time: of %d hosts, only %d were evaluated: another host may have fewer obstacles"
                        .formatted(bounded.size(), evaluated));
                break;
            }
            List<Bounded> batch = bounded.subList(evaluated, Math.min(bounded.size(), evaluated + BATCH_HOSTS));
            Evaluation evaluation = Evaluation.of(
                    snapshot, request, batch.stream().map(Bounded::target).toList(),
                    evaluated == 0 ? Evaluation.Detail.DECISION : Evaluation.Detail.OBSTACLES);
            decision = evaluated == 0 ? evaluation.decision() : decision;
            gaps.addAll(evaluation.gaps());
            if (evaluation.hosts().isEmpty()) {
                break;
            }
            nearest.addAll(evaluation.hosts());
            nearest = new ArrayList<>(nearest.stream()
                    .sorted(Comparator.<Evaluation.Host, Boolean>comparing(host -> host.tree().isEmpty())
                            .thenComparingInt(host -> host.obstacles().size())
                            .thenComparingDouble(Nearest::lack))
                    .limit(NEAREST_MAX)
                    .toList());
            evaluated += batch.size();
        }
        return new Evaluation(nearest, decision, gaps);
    }

    /** Returns whether enough hosts were found, and no other host can have fewer obstacles than these. */
    private static boolean isFound(List<Evaluation.Host> nearest, int obstaclesMin) {
        return nearest.size() == NEAREST_MAX
                && !nearest.getLast().tree().isEmpty()
                && nearest.getLast().obstacles().size() <= obstaclesMin;
    }

    /**
     * Returns how much a host lacks, to compare hosts with equally many obstacles: the sum, over the obstacles, of the
     * lacking fraction of the wanted amount. An obstacle without amounts counts as 1.
     */
    private static double lack(Evaluation.Host host) {
        double lack = 0;
        for (Obstacle obstacle : host.obstacles()) {
            JsonNode wanted = obstacle.json().path("wanted");
            JsonNode had = obstacle.json().path("had");
            lack += wanted.isNumber() && had.isNumber() && wanted.asDouble() > 0
                    ? Math.abs(wanted.asDouble() - had.asDouble()) / wanted.asDouble()
                    : 1;
        }
        return lack;
    }

    /**
     * Returns all hosts, those with the lowest bound first. If the request is refused without a query to placement,
     * returns only {@value #NEAREST_MAX} registered hosts, because the refusal is then the only obstacle of every host.
     */
    private List<Bounded> bounded() {
        return switch (snapshot.plan(request.spec(), request.toDerive())) {
            case HostSearch.Refused _ -> snapshot.registry().listComputeNodes().stream()
                    .limit(NEAREST_MAX)
                    .map(node -> new Bounded(Target.of(node), 1))
                    .toList();
            case HostSearch.Queries planned -> bounded(planned);
        };
    }

    private List<Bounded> bounded(HostSearch.Queries planned) {
        Map<String, Integer> candidates = new HashMap<>();
        Set<String> unregistered = new HashSet<>();
        queryCandidates(planned, candidates, unregistered);
        List<HostState> hosts = new ArrayList<>(snapshot.registeredHosts(planned.spec().requestedDestination()));
        if (!unregistered.isEmpty()) {
            hosts.addAll(snapshot.unregisteredHosts(unregistered));
        }
        SchedulingInputs unaffectedByUsage = inputsUnaffectedByUsage();
        List<Bounded> bounded = new ArrayList<>();
        Set<String> inReach = new HashSet<>();
        for (HostState host : hosts) {
            String uuid = String.valueOf(host.uuid());
            inReach.add(uuid);
            int filters = HostObstacle.of(
                    host.withCandidates(Evaluation.WITHOUT_ALLOCATIONS), planned.spec(), unaffectedByUsage).size();
            bounded.add(new Bounded(
                    new Target(host.host(), host.nodename(), UUID.fromString(uuid)),
                    filters + (candidates.getOrDefault(uuid, 0) > 0 ? 0 : 1)));
        }
        for (ComputeNode node : snapshot.registry().listComputeNodes()) {
            if (!inReach.contains(node.uuid().toString())) {
                // The host has at least one obstacle: the request may not use it (cell_not_in_reach).
                bounded.add(new Bounded(Target.of(node), 1));
            }
        }
        bounded.sort(Comparator.comparingInt(Bounded::obstaclesMin));
        return bounded;
    }

    /**
     * Queries placement for the trees that have a candidate.
     *
     * @param candidates receives a number for each root that placement evaluated: 1 if placement has a candidate in the
     * tree, otherwise 0 or -1
     * @param unregistered receives the roots that may be hosts although they are not registered
     */
    private void queryCandidates(
            HostSearch.Queries planned, Map<String, Integer> candidates, Set<String> unregistered) {
        List<FleetQuery> queries = new ArrayList<>(FleetQuery.fills(planned, 1));
        queries.add(new FleetQuery.Roots(null, null, null));
        FleetResults results = snapshot.ask(queries);
        gaps.addAll(results.gaps());
        for (int i = 0; i < queries.size() - 1; i++) {
            FillCounts counts = results.fill(i);
            for (int root = 0; counts != null && root < counts.counts().length; root++) {
                candidates.merge(results.roots().get(root), counts.counts()[root], Math::max);
            }
        }
        JsonNode response = results.json(queries.size() - 1);
        if (response != null) {
            response.path("roots").forEach(root -> unregistered.add(root.asText()));
            response.path("sharing").forEach(
                    index -> unregistered.remove(response.path("roots").get(index.asInt()).asText()));
            unregistered.removeIf(snapshot::isRegistered);
        }
    }

    /**
     * Returns inputs with the filters whose verdict does not depend on usage. Leaves out filters that read facts of
     * another service, because that service is queried only for the hosts that are evaluated completely.
     */
    private SchedulingInputs inputsUnaffectedByUsage() {
        SchedulingInputs inputs = snapshot.inputs(SchedulingInputs.Detail.COUNTS);
        EnabledFilters filters = new EnabledFilters(inputs.filters().inOrder().stream()
                .filter(filter -> filter.sensitivity() == Sensitivity.NOTHING && !snapshot.readsFacts(filter))
                .toList());
        return inputs.with(filters, inputs.weighers());
    }
}
