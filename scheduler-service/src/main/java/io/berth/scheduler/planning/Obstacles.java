package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Rejection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.question.Copy;
import io.berth.scheduler.question.FleetAnswers;
import io.berth.scheduler.question.FleetAsk;
import io.berth.scheduler.question.Snapshot;
import io.berth.scheduler.text.NoneWillDo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What keeps a request from hosts, counted: all that placement has against each tree, and of hosts that it offers what
 * removed them.
 *
 * @param hosts that it keeps out
 */
public record Obstacles(String stage, String by, String code, long hosts) {
    /** Hosts that placement is asked about. */
    private static final int LOOKED_AT = 200;

    /** @param text one sentence */
    record Found(List<Obstacles> obstacles, String text) {}

    private record Cause(String stage, String by, String code) {}

    /** @param without hosts that are not looked at */
    static Found of(Snapshot snapshot, Copy.Refused refused, Set<String> without) {
        if (refused.queries() == null) {
            return new Found(List.of(), refused.detail());
        }
        Map<Cause, Long> counts = new HashMap<>();
        long looked = placement(snapshot, refused, without, counts);
        if (refused.round() != null) {
            looked = Math.max(looked, refused.round().preselection().hostCountIn());
            filters(refused.round(), counts);
        }
        List<Obstacles> found = counts.entrySet().stream()
                .map(each -> new Obstacles(
                        each.getKey().stage(), each.getKey().by(), each.getKey().code(), each.getValue()))
                .sorted(Comparator.comparingLong(Obstacles::hosts).reversed()
                        .thenComparing(Obstacles::by).thenComparing(Obstacles::code))
                .toList();
        List<NoneWillDo.Removed> removed = new ArrayList<>();
        found.forEach(each -> removed.add(new NoneWillDo.Removed(each.by() + " (" + each.code() + ")", each.hosts())));
        return new Found(found, NoneWillDo.sentence(looked, removed, ""));
    }

    private static long placement(
            Snapshot snapshot, Copy.Refused refused, Set<String> without, Map<Cause, Long> counts) {
        List<String> providers = snapshot.registry().listComputeNodes().stream()
                .filter(node -> !without.contains(node.host()))
                .limit(LOOKED_AT)
                .map(ComputeNode::uuid)
                .map(Object::toString)
                .toList();
        if (providers.isEmpty()) {
            return 0;
        }
        FleetAnswers answers =
                snapshot.ask(List.of(new FleetAsk.Explanation(refused.queries().query(), providers, true)));
        JsonNode explained = answers.json(0);
        if (explained != null) {
            for (JsonNode tree : explained.path("providers")) {
                Set<Cause> ofTree = new HashSet<>();
                tree.path("obstacles").forEach(each -> ofTree.add(
                        new Cause("placement", each.path("by").asText(), each.path("code").asText())));
                ofTree.forEach(cause -> counts.merge(cause, 1L, Long::sum));
            }
        }
        return providers.size();
    }

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
