package io.berth.scheduler.planning;

import io.berth.json.JsonLists;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Proposes moves that empty hosts, each host completely or not at all: first the hosts with the fewest instances, and
 * of each host first the largest instances. If the caller named no hosts, no instance moves to an empty host, because
 * that would gain nothing.
 */
final class HostConsolidation {
    /** The maximum hosts that are tried. */
    private static final int TRIED_MAX = 500;

    private final ProposedMoves start;
    private final @Nullable List<String> named;
    private final int count;
    private final List<String> gaps = new ArrayList<>();

    /**
     * @param start the cloud before the first move
     * @param named names of the hosts to empty; null: any hosts
     * @param count number of hosts to empty, if {@code named} is null
     */
    HostConsolidation(ProposedMoves start, @Nullable List<String> named, int count) {
        this.start = start;
        this.named = named;
        this.count = count;
    }

    /** Returns a proposal without moves, for the case that the time was up before the selected hosts were known. */
    static Proposal outOfTime(ProposedMoves start) {
        return proposal(false, start, List.of(), List.of(), Map.of(),
                List.of("time: it is not known which hosts are meant"));
    }

    Proposal find() {
        RegistrySnapshot registry = start.now().registry();
        Map<String, Integer> instances = new LinkedHashMap<>();
        for (String host : named == null ? hosts(registry) : new LinkedHashSet<>(named)) {
            int present = instancesOn(host, registry);
            if (present > 0 || named != null) {
                instances.put(host, present);
            }
        }
        // Hosts without instances come last: they need no moves, only a query of placement for other consumers.
        List<String> inTurn = instances.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Integer>, Boolean>comparing(each -> each.getValue() == 0)
                        .thenComparing(Map.Entry::getValue)
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
        int wanted = named == null ? count : inTurn.size();
        List<String> emptied = new ArrayList<>();
        Map<String, String> notEmptied = new TreeMap<>();
        ProposedMoves course = start;
        int tried = 0;
        for (String host : inTurn) {
            if (emptied.size() == wanted) {
                break;
            }
            if (instances.get(host) > 0 && tried++ == TRIED_MAX) {
                gaps.add("hosts: %d were tried, no more".formatted(TRIED_MAX));
                break;
            }
            if (course.isLate()) {
                gaps.add("time: %s and later hosts were not tried".formatted(host));
                break;
            }
            if (instances.get(host) > course.movesLeft()) {
                notEmptied.put(host, "max_moves");
                continue;
            }
            ProposedMoves trial = course.fork();
            String why = empty(trial, host, emptied);
            if (why == null) {
                course = trial;
                emptied.add(host);
            } else {
                notEmptied.put(host, why);
                if (why.equals("time")) {
                    gaps.add("time: %s was not tried to the end".formatted(host));
                }
            }
        }
        Map<String, Integer> counts = new TreeMap<>();
        notEmptied.values().forEach(code -> counts.merge(code, 1, Integer::sum));
        return proposal(
                emptied.size() >= wanted, course, emptied.stream().filter(host -> instances.get(host) > 0).toList(),
                emptied.stream().filter(host -> instances.get(host) == 0).toList(), counts, gaps);
    }

    private static Proposal proposal(
            boolean reached, ProposedMoves course,
            List<String> emptied, List<String> before, Map<String, Integer> binding,
            List<String> gaps) {
        return new Proposal("empty_hosts", reached, course,
                json -> {
                    JsonLists.writeTexts(json, "emptied", emptied);
                    JsonLists.writeTexts(json, "empty_before", before);
                },
                json -> WrittenJson.writeNumbers(json, binding),
                gaps);
    }

    private static Set<String> hosts(RegistrySnapshot registry) {
        Set<String> hosts = new LinkedHashSet<>();
        registry.listComputeNodes().forEach(node -> hosts.add(node.host()));
        return hosts;
    }

    private static int instancesOn(String host, RegistrySnapshot registry) {
        List<ComputeNode> nodes = registry.computeNodesOf(host);
        return nodes.isEmpty()
                ? registry.instancesOn(host, host).size()
                : nodes.stream().mapToInt(node -> registry.instancesOn(host, node.nodename()).size()).sum();
    }

    /**
     * Empties a host on a copy. Returns null on success, otherwise the code of the reason.
     *
     * @param emptied hosts that were emptied before, which are no destinations
     */
    private @Nullable String empty(ProposedMoves trial, String host, List<String> emptied) {
        Set<String> ignored = new LinkedHashSet<>(emptied);
        ignored.add(host);
        if (named != null) {
            ignored.addAll(named);
        }
        List<Movable.Origin> origins = trial.mover().origins(host);
        List<Movable> movables = new ArrayList<>();
        for (Movable.Origin origin : origins) {
            List<RegisteredInstance> present = Mover.instancesOn(origin, trial.now().registry());
            movables.addAll(trial.mover().movables(origin, present));
        }
        // Checks all instances, not only up to the first that stays, so that all of these are reported.
        if (movables.stream().filter(trial::mayMove).count() < movables.size()) {
            return "instances_stay";
        }
        movables.sort(Comparator.<Movable>comparingLong(each -> each.amount("MEMORY_MB")).reversed());
        for (Movable movable : movables) {
            if (trial.move(movable, ignored, attempts -> choose(attempts, trial)) == null) {
                return trial.isLate() ? "time" : "instances_stay";
            }
        }
        Map<String, Long> left = trial.mover().remainingUse(origins);
        return left == null ? "time" : left.isEmpty() ? null : "held_by_others";
    }

    /**
     * Chooses a destination. If the caller named hosts to empty, this is the best host. Otherwise it is the host with
     * the most instances, so that hosts with few instances can still be emptied; null if all hosts are empty.
     */
    private @Nullable RankedHost choose(List<RankedHost> attempts, ProposedMoves trial) {
        if (named != null) {
            return attempts.getFirst();
        }
        RegistrySnapshot registry = trial.now().registry();
        RankedHost fullest = null;
        int count = 0;
        for (RankedHost each : attempts) {
            HostState host = each.host();
            int present = registry.instancesOn(host.host(), host.nodename()).size();
            if (present > count) {
                fullest = each;
                count = present;
            }
        }
        return fullest;
    }
}
