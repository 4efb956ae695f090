package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Rejection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.text.NoHostSentence;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A cause that excludes hosts from a request, with the number of these hosts. Placement reports all causes for each
 * tree, so one host may count for several. A host that placement offers counts for the prefilter or filter that removed
 * it.
 *
 * @param stage {@code placement}, or the stage of the decision
 * @param by the demand, prefilter or filter
 * @param code machine-readable name of the cause
 * @param hosts number of excluded hosts
 */
public record ObstacleCounts(String stage, String by, String code, long hosts) {
    /** The maximum hosts for which placement is queried. */
    private static final int LOOKED_AT = 200;

    /** The obstacles of a request, and the same as one sentence for people. */
    record Found(List<ObstacleCounts> obstacles, String text) {}

    private static final Found LATE =
            new Found(List.of(), "no host will do; the time was up before its obstacles were counted");

    private record Cause(String stage, String by, String code) {}

    /**
     * Counts the obstacles of a refused request. Blocks; for the analysis worker only.
     *
     * @param known uuids of all root providers; null if the time was up
     * @param without names of hosts that are left out
     */
    static Found of(Snapshot snapshot, CloudCopy.Refused refused, @Nullable Set<String> known, Set<String> without) {
        if (refused.queries() == null) {
            return new Found(List.of(), refused.detail());
        }
        if (known == null) {
            return LATE;
        }
        List<String> registered = snapshot.registry().listComputeNodes().stream()
                .filter(node -> !without.contains(node.host()))
                .map(node -> node.uuid().toString())
                .filter(known::contains)
                .toList();
        List<String> looked = registered.subList(0, Math.min(LOOKED_AT, registered.size()));
        Map<Cause, Long> counts = new HashMap<>();
        if (!placement(snapshot, refused.queries().all(), looked, counts)) {
            return LATE;
        }
        Set<String> hosts = new HashSet<>(registered);
        if (refused.round() != null) {
            refused.round().preselection().hostsIn().stream()
                    .filter(host -> !without.contains(host.host()))
                    .forEach(host -> hosts.add(host.uuid()));
            filters(refused.round(), counts);
        }
        List<ObstacleCounts> found = counts.entrySet().stream()
                .map(each -> new ObstacleCounts(
                        each.getKey().stage(), each.getKey().by(), each.getKey().code(), each.getValue()))
                .sorted(Comparator.comparingLong(ObstacleCounts::hosts).reversed()
                        .thenComparing(ObstacleCounts::by).thenComparing(ObstacleCounts::code))
                .toList();
        List<NoHostSentence.Removed> removed = new ArrayList<>();
        found.forEach(
                each -> removed.add(new NoHostSentence.Removed(each.by() + " (" + each.code() + ")", each.hosts())));
        return new Found(found, sentence(hosts.size(), removed, looked.size(), registered.size()));
    }

    /**
     * @param hosts the number of all hosts
     * @param looked the number of registered hosts for which placement was queried
     * @param registered the number of registered hosts
     */
    static String sentence(long hosts, List<NoHostSentence.Removed> removed, int looked, int registered) {
        return NoHostSentence.overlapping(hosts, removed) + (looked == registered
                ? ""
                : "; placement was queried for %d of %d hosts".formatted(looked, registered));
    }

    /** Counts the obstacles of the trees that none of the queries offers. Returns false if the time was up. */
    private static boolean placement(
            Snapshot snapshot, List<String> queries, List<String> providers, Map<Cause, Long> counts) {
        if (providers.isEmpty()) {
            return true;
        }
        FleetResults answers = snapshot.ask(queries.stream()
                .<FleetQuery>map(query -> new FleetQuery.Explanation(query, providers, false))
                .toList());
        Map<String, List<Set<Cause>>> blocked = new HashMap<>();
        for (int i = 0; i < queries.size(); i++) {
            JsonNode explained = answers.json(i);
            if (explained == null) {
                return false;
            }
            for (JsonNode tree : explained.path("providers")) {
                Set<Cause> ofTree = new HashSet<>();
                boolean isMeantForOthers = FleetResults.isMeantForOthers(tree);
                if (!isMeantForOthers) {
                    tree.path("obstacles").forEach(each -> ofTree.add(
                            new Cause(
                                    "placement", Shortfall.names(each.path("by").asText(), snapshot.registry()),
                                    each.path("code").asText())));
                }
                if (isMeantForOthers || !ofTree.isEmpty()) {
                    blocked.computeIfAbsent(tree.path("root").asText(), key -> new ArrayList<>()).add(ofTree);
                }
            }
        }
        blocked.values().stream()
                .filter(each -> each.size() == queries.size())
                .forEach(each -> each.stream().flatMap(Set::stream).distinct()
                        .forEach(cause -> counts.merge(cause, 1L, Long::sum)));
        return true;
    }

    /** Counts the hosts that each prefilter and filter removed. */
    private static void filters(Round round, Map<Cause, Long> counts) {
        for (Preselection.Dropped dropped : round.preselection().dropped()) {
            if (!dropped.by().equals("ignore_hosts")) {
                String prefilter = HostObstacle.Stage.PREFILTER.wireName();
                counts.merge(new Cause(prefilter, dropped.by(), dropped.reason().code()), 1L, Long::sum);
            }
        }
        String stage = HostObstacle.Stage.after(round.preselection()).wireName();
        for (FilterStep step : round.filters()) {
            for (Rejection rejection : step.rejections()) {
                counts.merge(new Cause(stage, step.name(), rejection.reason().code()), 1L, Long::sum);
            }
            step.moreByCode().forEach(
                    (code, more) -> counts.merge(new Cause(stage, step.name(), code), (long) more, Long::sum));
        }
    }
}
