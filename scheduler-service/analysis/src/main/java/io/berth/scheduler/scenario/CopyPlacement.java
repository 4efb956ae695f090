package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Places requests on a copy of the cloud, one after the other. Reports the hosts of each request, or why the request
 * has none.
 */
final class CopyPlacement {
    /** Codes of refusals that a valid request can have. */
    private static final Set<String> NOT_OF_THE_REQUEST =
            Set.of(ErrorCode.NO_VALID_HOST.code(), ErrorCode.PLACEMENT_UNAVAILABLE.code());

    private final CloudCopy copy;

    CopyPlacement(CloudCopy copy, Gaps gaps) {
        this.copy = copy;
        if (copy.now().choosesAtRandom()) {
            gaps.add(Snapshot.HOSTS_AT_RANDOM);
        }
        if (copy.now().registry().hasOmittedInstances()) {
            gaps.add(Snapshot.INSTANCES_OMITTED);
        }
    }

    /**
     * The outcome of one request.
     *
     * @param hosts names of the hosts, one for each instance; empty if the request is refused
     * @param json the outcome as in the response of {@code POST /v1/what_if}: an object with the member {@code hosts},
     * and with {@code code} and {@code text} if the request is refused
     */
    record Outcome(List<String> hosts, ObjectNode json) {}

    /**
     * Places all instances of a request on the copy, or none if the request is refused. Returns null, and places none,
     * if the time was up.
     *
     * @param toDerive which constraints are derived from flavor and image, because the request does not contain them
     */
    @Nullable Outcome place(RequestSpec spec, Constraints.Open toDerive) {
        if (copy.now().deadline().isUp()) {
            return null;
        }
        return switch (copy.decide(spec, toDerive)) {
            case CloudCopy.OutOfTime _ -> null;
            case CloudCopy.Refused refused -> refused(refused.code(), refusalText(refused));
            case CloudCopy.AllPlaced decision -> placed(copy.place(decision));
        };
    }

    private static Outcome placed(List<HostState> hosts) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode placements = json.putArray("hosts");
        for (HostState host : hosts) {
            placements.addObject()
                    .put("host", host.host())
                    .put("nodename", host.nodename())
                    .put("compute_node_uuid", host.uuid());
        }
        return new Outcome(hosts.stream().map(HostState::host).toList(), json);
    }

    private static Outcome refused(ErrorCode code, String text) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("hosts");
        json.put("code", code.code()).put("text", text);
        return new Outcome(List.of(), json);
    }

    /**
     * Returns why a request is refused: the detail of the decision; without a detail, the number of hosts that each
     * restriction of the request (such as {@code ignore_hosts}) and each filter removed.
     */
    private static String refusalText(CloudCopy.Refused refused) {
        Round round = refused.round();
        if (!refused.detail().isEmpty()) {
            return refused.detail();
        }
        if (round == null) {
            return "placement has no candidate";
        }
        Map<String, Integer> removed = new LinkedHashMap<>();
        for (Preselection.Dropped dropped : round.preselection().dropped()) {
            removed.merge(dropped.by(), 1, Integer::sum);
        }
        for (FilterStep step : round.filters()) {
            if (step.hostCountIn() > step.hostCountOut()) {
                removed.merge(step.name(), step.hostCountIn() - step.hostCountOut(), Integer::sum);
            }
        }
        List<String> parts = new ArrayList<>();
        removed.forEach((by, count) -> parts.add(by + " " + count));
        return "none of %d hosts will do: %s removed"
                .formatted(round.preselection().hostCountIn(), String.join(", ", parts));
    }

    /**
     * Returns how many instances of the first {@code requests} requests have a host.
     *
     * @param placements the list of {@link Outcome#json}, one for each request
     */
    static int placed(JsonNode placements, int requests) {
        return placements.valueStream().limit(requests).mapToInt(each -> each.path("hosts").size()).sum();
    }

    /** Returns whether two outcomes have the same hosts in the same order. Two refused requests have the same: none. */
    static boolean haveSameHosts(JsonNode first, JsonNode second) {
        return first.path("hosts").equals(second.path("hosts"));
    }

    /** Returns whether a request was refused because it is invalid, not because of the hosts or of placement. */
    static boolean isInvalid(JsonNode placements) {
        return placements.has("code") && !NOT_OF_THE_REQUEST.contains(placements.path("code").asText());
    }
}
