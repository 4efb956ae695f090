package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetAnswers;
import io.berth.scheduler.job.FleetAsk;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.spi.HostFilter.Heeds;
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
 * Finds, among all hosts, those that need least. A lower bound is cheap to compute for every host: whether placement
 * offers anything on it, and the filters that no placement changes. Hosts are evaluated in both phases in that order,
 * until no other can need less than those found.
 */
final class Nearest {
    private static final int HOSTS = 5;
    /** Limits the hosts of one query to placement. */
    private static final int AT_ONCE = 100;

    private final Snapshot snapshot;
    private final RequestSpecBody read;
    private final List<String> gaps = new ArrayList<>();

    /** @param least a lower bound of its obstacles */
    private record Hopeful(Target target, int least) {}

    Nearest(Snapshot snapshot, RequestSpecBody read) {
        this.snapshot = snapshot;
        this.read = read;
    }

    /** Returns at most five hosts, the nearest first; keeps half of the time for the changes that would admit them. */
    Evaluation find() {
        Duration forRepairs = snapshot.deadline().left().dividedBy(2);
        List<Hopeful> hopefuls = hopefuls();
        List<Evaluation.Host> nearest = new ArrayList<>();
        @Nullable Decision decision = null;
        int looked = 0;
        while (looked < hopefuls.size() && !isFound(nearest, hopefuls.get(looked).least())) {
            if (looked > 0 && snapshot.deadline().left().compareTo(forRepairs) < 0) {
                gaps.add("time: of %d hosts %d were looked at: another may need less".formatted(hopefuls.size(), looked));
                break;
            }
            List<Hopeful> next = hopefuls.subList(looked, Math.min(hopefuls.size(), looked + AT_ONCE));
            Evaluation evaluation = Evaluation.of(
                    snapshot, read, next.stream().map(Hopeful::target).toList(),
                    looked == 0 ? Evaluation.Detail.DECISION : Evaluation.Detail.OBSTACLES);
            decision = looked == 0 ? evaluation.decision() : decision;
            gaps.addAll(evaluation.gaps());
            if (evaluation.hosts().isEmpty()) {
                break;
            }
            nearest.addAll(evaluation.hosts());
            nearest = new ArrayList<>(nearest.stream()
                    .sorted(Comparator.<Evaluation.Host, Boolean>comparing(host -> host.tree().isEmpty())
                            .thenComparingInt(host -> host.obstacles().size())
                            .thenComparingDouble(Nearest::lack))
                    .limit(HOSTS)
                    .toList());
            looked += next.size();
        }
        return new Evaluation(nearest, decision, gaps);
    }

    private static boolean isFound(List<Evaluation.Host> nearest, int least) {
        return nearest.size() == HOSTS
                && !nearest.getLast().tree().isEmpty()
                && nearest.getLast().obstacles().size() <= least;
    }

    /** Returns the missing fractions of the wanted amounts, summed up; an obstacle without numbers counts as 1. */
    private static double lack(Evaluation.Host host) {
        double lack = 0;
        for (ObjectNode obstacle : host.obstacles()) {
            JsonNode wanted = obstacle.path("wanted");
            JsonNode had = obstacle.path("had");
            lack += wanted.isNumber() && had.isNumber() && wanted.asDouble() > 0
                    ? Math.abs(wanted.asDouble() - had.asDouble()) / wanted.asDouble()
                    : 1;
        }
        return lack;
    }

    /** Returns all hosts, starting with those that may need least. */
    private List<Hopeful> hopefuls() {
        return switch (snapshot.plan(read.spec(), read.open())) {
            case HostSearch.Refused _ -> snapshot.registry().listComputeNodes().stream()
                    .limit(HOSTS)
                    .map(node -> new Hopeful(Target.of(node), 1))
                    .toList();
            case HostSearch.Queries planned -> hopefuls(planned);
        };
    }

    private List<Hopeful> hopefuls(HostSearch.Queries planned) {
        Map<String, Integer> most = new HashMap<>();
        Set<String> others = new HashSet<>();
        ask(planned, most, others);
        List<HostState> hosts = new ArrayList<>(snapshot.registeredHosts(planned.spec().requestedDestination()));
        if (!others.isEmpty()) {
            hosts.addAll(snapshot.unregisteredHosts(others));
        }
        SchedulingInputs steady = steady();
        List<Hopeful> hopefuls = new ArrayList<>();
        Set<String> inReach = new HashSet<>();
        for (HostState host : hosts) {
            String uuid = String.valueOf(host.uuid());
            inReach.add(uuid);
            int filters = HostObstacle.of(host.withCandidates(Evaluation.AS_IF), planned.spec(), steady).size();
            hopefuls.add(new Hopeful(
                    new Target(host.host(), host.nodename(), UUID.fromString(uuid)),
                    filters + (most.getOrDefault(uuid, 0) > 0 ? 0 : 1)));
        }
        for (ComputeNode node : snapshot.registry().listComputeNodes()) {
            if (!inReach.contains(node.uuid().toString())) {
                hopefuls.add(new Hopeful(Target.of(node), 1));
            }
        }
        hopefuls.sort(Comparator.comparingInt(Hopeful::least));
        return hopefuls;
    }

    /**
     * @param most receives by root: at least 1 if placement has a candidate there, -1 if an obstacle is not an amount
     * @param others receives roots that may be hosts although they are not registered
     */
    private void ask(HostSearch.Queries planned, Map<String, Integer> most, Set<String> others) {
        List<FleetAsk> asks = new ArrayList<>(FleetAsk.fills(planned, 1));
        asks.add(new FleetAsk.Roots(null, null, null));
        FleetAnswers answers = snapshot.ask(asks);
        gaps.addAll(answers.gaps());
        for (int ask = 0; ask < asks.size() - 1; ask++) {
            FillCounts filled = answers.fill(ask);
            for (int root = 0; filled != null && root < filled.counts().length; root++) {
                most.merge(answers.roots().get(root), filled.counts()[root], Math::max);
            }
        }
        JsonNode response = answers.json(asks.size() - 1);
        if (response != null) {
            response.path("roots").forEach(root -> others.add(root.asText()));
            response.path("sharing").forEach(index -> others.remove(response.path("roots").get(index.asInt()).asText()));
            others.removeIf(snapshot::isRegistered);
        }
    }

    /**
     * Returns inputs with the filters whose verdict does not depend on usage. Trust is queried only for hosts in the
     * response.
     */
    private SchedulingInputs steady() {
        SchedulingInputs inputs = snapshot.inputs(SchedulingInputs.Detail.COUNTS);
        EnabledFilters filters = new EnabledFilters(inputs.filters().inOrder().stream()
                .filter(filter -> filter.heeds() == Heeds.NOTHING && !snapshot.readsFacts(filter))
                .toList());
        return inputs.with(filters, inputs.weighers());
    }
}
