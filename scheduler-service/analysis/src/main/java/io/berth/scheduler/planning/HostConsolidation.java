package io.berth.scheduler.planning;

import io.berth.json.JsonLists;
import io.berth.model.Maps;
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
 * Proposes moves that empty hosts, each host completely or not at all. Of the hosts with instances, those with the
 * fewest come first; the instances of a host that hold the most memory move first. If the caller named no hosts, no
 * instance moves to a host without instances, because the number of empty hosts would not grow.
 */
final class HostConsolidation {
    /** The maximum number of hosts with instances that are tried. */
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
                List.of("time: the selected hosts were not found in time"));
    }

    Proposal find() {
        RegistrySnapshot registry = start.now().registry();
        Map<String, Integer> instances = new LinkedHashMap<>();
        for (String host : named == null ? hosts(registry) : new LinkedHashSet<>(named)) {
            int instanceCount = instancesOn(host, registry);
            if (instanceCount > 0 || named != null) {
                instances.put(host, instanceCount);
            }
        }
        // Hosts without instances come last. They need no moves, only a query of placement for other consumers'
        // allocations.
        List<String> sortedHosts = instances.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Integer>, Boolean>comparing(each -> each.getValue() == 0)
                        .thenComparing(Map.Entry::getValue)
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
        int hostsWanted = named == null ? count : sortedHosts.size();
        List<String> emptied = new ArrayList<>();
        Map<String, String> notEmptied = new TreeMap<>();
        ProposedMoves course = start;
        int tried = 0;
        for (String host : sortedHosts) {
            if (emptied.size() == hostsWanted) {
                break;
            }
            if (Maps.require(instances, host) > 0 && tried++ == TRIED_MAX) {
                gaps.add("hosts: only the first %d were tried".formatted(TRIED_MAX));
                break;
            }
            if (course.isTimeUp()) {
                gaps.add("time: %s and later hosts were not tried".formatted(host));
                break;
            }
            if (Maps.require(instances, host) > course.movesLeft()) {
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
                    gaps.add("time: the trial of %s was not completed".formatted(host));
                }
            }
        }
        Map<String, Integer> counts = new TreeMap<>();
        notEmptied.values().forEach(code -> counts.merge(code, 1, Integer::sum));
        return proposal(
                emptied.size() >= hostsWanted, course,
                emptied.stream().filter(host -> Maps.require(instances, host) > 0).toList(),
                emptied.stream().filter(host -> Maps.require(instances, host) == 0).toList(), counts, gaps);
    }

    /**
     * Creates the proposal.
     *
     * @param emptied hosts that the moves empty
     * @param emptyBefore hosts to empty on which nothing was used before
     * @param binding number of hosts that could not be emptied, by the code of the reason: a code of {@link #empty}, or
     * {@code max_moves} if the host has more instances than moves are left
     */
    private static Proposal proposal(
            boolean isReached, ProposedMoves course,
            List<String> emptied, List<String> emptyBefore, Map<String, Integer> binding,
            List<String> gaps) {
        return new Proposal("empty_hosts", isReached, course,
                json -> {
                    JsonLists.writeTexts(json, "emptied", emptied);
                    JsonLists.writeTexts(json, "empty_before", emptyBefore);
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
     * Empties a host on a copy. Returns null on success, otherwise the code of the reason: {@code instances_stay},
     * {@code held_by_others} (consumers that are not instances use the host) or {@code time}.
     *
     * @param emptied hosts that are empty already, which are no destinations
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
            List<RegisteredInstance> onNode = Mover.instancesOn(origin, trial.now().registry());
            movables.addAll(trial.mover().movables(origin, onNode));
        }
        // Checks all instances, so that each instance that stays is reported, not only the first.
        if (movables.stream().filter(trial::mayMove).count() < movables.size()) {
            return "instances_stay";
        }
        movables.sort(Comparator.<Movable>comparingLong(each -> each.heldAmount("MEMORY_MB")).reversed());
        for (Movable movable : movables) {
            if (trial.move(movable, ignored, attempts -> choose(attempts, trial)) == null) {
                return trial.isTimeUp() ? "time" : "instances_stay";
            }
        }
        Map<String, Long> remainingUse = trial.mover().remainingUse(origins);
        return remainingUse == null ? "time" : remainingUse.isEmpty() ? null : "held_by_others";
    }

    /**
     * Chooses a destination. If the caller named hosts to empty, chooses the best host. Otherwise chooses the host with
     * the most instances, so that hosts with few instances can still be emptied; returns null if none has instances.
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
            int instances = registry.instancesOn(host.host(), host.nodename()).size();
            if (instances > count) {
                fullest = each;
                count = instances;
            }
        }
        return fullest;
    }
}
