package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Rejection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
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
 * provider tree, so that one host may count for several causes. A host that has candidates in placement counts for the
 * prefilter or filter that removed it.
 *
 * @param stage {@code placement}, or the stage of the decision
 * @param by the demand, prefilter or filter
 * @param code machine-readable name of the cause
 * @param hosts number of excluded hosts
 */
public record ObstacleCount(String stage, String by, String code, long hosts) {
    /** The maximum number of registered hosts whose obstacles placement is queried for. */
    private static final int QUERIED_MAX = 200;

    /** The obstacles of a request, and a sentence for people that names them. */
    record Found(List<ObstacleCount> obstacles, String text) {}

    private static final Found LATE =
            new Found(List.of(), "no host can take the instance; the time was up before the obstacles were counted");

    private record Cause(String stage, String by, String code) {}

    /**
     * Counts the obstacles of a refused request. There are none if the request was refused before a query to placement,
     * or the time was up; the text then has the reason. Blocks; for the analysis worker only.
     *
     * @param roots uuids of all root providers; null if the time was up
     * @param ignored names of hosts that are not counted
     */
    static Found of(Snapshot snapshot, CloudCopy.Refused refused, @Nullable Set<String> roots, Set<String> ignored) {
        if (refused.queries() == null) {
            return new Found(List.of(), refused.detail());
        }
        if (roots == null) {
            return LATE;
        }
        List<String> registered = snapshot.registry().listComputeNodes().stream()
                .filter(node -> !ignored.contains(node.host()))
                .map(node -> node.uuid().toString())
                .filter(roots::contains)
                .toList();
        List<String> queried = registered.subList(0, Math.min(QUERIED_MAX, registered.size()));
        Map<Cause, Long> counts = new HashMap<>();
        if (!countInPlacement(snapshot, refused.queries().all(), queried, counts)) {
            return LATE;
        }
        Set<String> hosts = new HashSet<>(registered);
        if (refused.round() != null) {
            refused.round().preselection().hostsIn().stream()
                    .filter(host -> !ignored.contains(host.host()))
                    .forEach(host -> hosts.add(host.uuid()));
            countInFilters(refused.round(), counts);
        }
        List<ObstacleCount> found = counts.entrySet().stream()
                .map(each -> new ObstacleCount(
                        each.getKey().stage(), each.getKey().by(), each.getKey().code(), each.getValue()))
                .sorted(Comparator.comparingLong(ObstacleCount::hosts).reversed()
                        .thenComparing(ObstacleCount::by).thenComparing(ObstacleCount::code))
                .toList();
        List<NoHostSentence.Removed> removed = new ArrayList<>();
        found.forEach(
                each -> removed.add(new NoHostSentence.Removed(each.by() + " (" + each.code() + ")", each.hosts())));
        return new Found(found, sentence(hosts.size(), removed, queried.size(), registered.size()));
    }

    /**
     * Returns the sentence for people.
     *
     * @param hosts the number of all hosts
     * @param removed the obstacles, each with the number of hosts that it excludes
     * @param queried the number of registered hosts for which placement was queried
     * @param registered the number of registered hosts that placement has
     */
    static String sentence(long hosts, List<NoHostSentence.Removed> removed, int queried, int registered) {
        return NoHostSentence.overlapping(hosts, removed) + (queried == registered
                ? ""
                : "; placement was queried for %d of %d hosts".formatted(queried, registered));
    }

    /**
     * Counts the obstacles of the trees in which no query has a candidate. Returns false if the time was up.
     *
     * @param queries the query of the request, and the fallback query if there is one
     * @param providers uuids of the roots of the trees
     */
    private static boolean countInPlacement(
            Snapshot snapshot, List<String> queries, List<String> providers, Map<Cause, Long> counts) {
        if (providers.isEmpty()) {
            return true;
        }
        FleetResults results = snapshot.ask(queries.stream()
                .<FleetQuery>map(query -> new FleetQuery.Explanation(query, providers, false))
                .toList());
        Map<String, List<Set<Cause>>> causesByRoot = new HashMap<>();
        for (int i = 0; i < queries.size(); i++) {
            JsonNode explanation = results.json(i);
            if (explanation == null) {
                return false;
            }
            for (JsonNode tree : explanation.path("providers")) {
                Set<Cause> ofTree = new HashSet<>();
                boolean isMeantForFirstQuery = FleetResults.isMeantForFirstQuery(tree);
                if (!isMeantForFirstQuery) {
                    tree.path("obstacles").forEach(each -> ofTree.add(
                            new Cause(
                                    "placement", Shortfall.replaceUuids(each.path("by").asText(), snapshot.registry()),
                                    each.path("code").asText())));
                }
                // A tree that is meant for the first query is excluded by the fallback query, without a cause to count.
                if (isMeantForFirstQuery || !ofTree.isEmpty()) {
                    causesByRoot.computeIfAbsent(tree.path("root").asText(), key -> new ArrayList<>()).add(ofTree);
                }
            }
        }
        // A tree is excluded only if every query excludes it.
        causesByRoot.values().stream()
                .filter(each -> each.size() == queries.size())
                .forEach(each -> each.stream().flatMap(Set::stream).distinct()
                        .forEach(cause -> counts.merge(cause, 1L, Long::sum)));
        return true;
    }

    /** Counts the hosts that each prefilter and filter removed, except hosts that the request ignores. */
    private static void countInFilters(Round round, Map<Cause, Long> counts) {
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
            // Rejections beyond a limit are only counted, by the code of their reason.
            step.moreByCode().forEach(
                    (code, more) -> counts.merge(new Cause(stage, step.name(), code), (long) more, Long::sum));
        }
    }
}
