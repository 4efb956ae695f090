package io.berth.scheduler.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.EnumSet;
import java.util.List;

/** Explains from a decision record why one host was selected or not. */
public final class RecordedHost {
    /**
     * The outcome for the host. A request for several instances has a verdict for each, and the response reports the
     * best of them; the constants are declared from best to worst.
     */
    public enum Verdict implements WireNamed {
        /** The host was selected, even if the request failed later. */
        CHOSEN,
        /** The host is an alternate in the response. */
        ALTERNATE,
        /** The host was tried, and its claim did not hold. */
        NOT_CLAIMED,
        /** The host is in the recorded ranking, but another host was selected. */
        RANKED,
        /**
         * The host passed all filters, but is not in the recorded ranking of the best {@value RecordBody#RANKED_MAX}.
         */
        PASSED,
        /**
         * The host was rejected, for this instance or an earlier one: by a filter, or because the request forces or
         * ignores hosts, or names a destination.
         */
        REJECTED,
        /** A filter or weigher failed on the request, so that no host was possible. */
        NOT_EVALUATED,
        /** The host was or may have been considered, but there were too many hosts or rejections to record each. */
        NOT_RECORDED,
        /** Placement did not offer the host, or the request ended before placement was queried. */
        NOT_OFFERED,
        /** Placement did not offer the host, and no host of that name is registered. */
        NOT_KNOWN;
    }

    /**
     * The verdict for one instance.
     *
     * @param json members of the response: verdict, stage, text, and others by verdict
     */
    private record Finding(Verdict verdict, ObjectNode json) {}

    private final DecisionRow row;
    private final JsonNode body;
    private final String name;
    private final RecordedDecision decision;

    RecordedHost(DecisionRow row, JsonNode body, String name, RecordedDecision decision) {
        this.row = row;
        this.body = body;
        this.name = name;
        this.decision = decision;
    }

    /**
     * Renders the response to {@code GET /v1/decisions/{id}/hosts/{host}}.
     *
     * @param isRegistered whether a host of that name is registered, so that it is known even if it was not offered
     */
    public String render(boolean isRegistered) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("decision_id", row.id().toString());
        json.put("host", name);
        json.put("result", row.result());
        ArrayNode all = json.putArray("instances");
        Finding best = null;
        for (JsonNode round : body.path("rounds")) {
            Finding ofRound = of(round, isRegistered);
            best = best == null || ofRound.verdict().compareTo(best.verdict()) < 0 ? ofRound : best;
            all.add(ofRound.json());
        }
        Finding finding = best == null ? findWithoutRounds(isRegistered) : best;
        finding.json().properties().stream()
                .filter(member -> !member.getKey().equals("index"))
                .forEach(member -> json.set(member.getKey(), member.getValue()));
        json.set("obstacles", obstacles(finding));
        return json.toString();
    }

    /**
     * Returns the recorded obstacles of the host; empty if there is none. A host that a filter rejected may have
     * further obstacles, because the later filters did not see the host.
     */
    private JsonNode obstacles(Finding finding) {
        ArrayNode obstacles = JsonNodeFactory.instance.arrayNode();
        if (finding.verdict() == Verdict.NOT_OFFERED) {
            JsonNode notOffered = findNotOffered();
            if (notOffered != null) {
                return notOffered.path("obstacles");
            }
        }
        if (EnumSet.of(Verdict.NOT_CLAIMED, Verdict.REJECTED, Verdict.NOT_EVALUATED, Verdict.NOT_OFFERED)
                .contains(finding.verdict())) {
            ObjectNode obstacle = obstacles.addObject();
            obstacle.set("stage", finding.json().get("stage"));
            obstacle.set("by",
                    finding.json().path("by").isTextual() ? finding.json().get("by") : finding.json().get("stage"));
            obstacle.set("code", finding.json().path("code").isTextual()
                    ? finding.json().get("code")
                    : finding.json().get("verdict"));
            obstacle.set("text", finding.json().get("text"));
        }
        return obstacles;
    }

    /** Returns the host's entry, with obstacles, among the hosts that placement did not offer; null if none. */
    private @Nullable JsonNode findNotOffered() {
        for (JsonNode host : body.path("placement").path("hosts")) {
            if (host.path("host").asText().equals(name) || host.path("nodename").asText().equals(name)) {
                return host;
            }
        }
        return null;
    }

    // Numbers in get() and path() are positions in the arrays that the javadoc of RecordBody defines.
    private Finding of(JsonNode round, boolean isRegistered) {
        int index = round.get("index").asInt();
        Finding ofRound = findInRound(round, index, isRegistered);
        ofRound.json().put("index", index);
        return ofRound;
    }

    private Finding findInRound(JsonNode round, int index, boolean isRegistered) {
        JsonNode places = body.path("places").path(index);
        for (int place = 0; place < places.size(); place++) {
            if (isNamedAt(places.get(place), 0)) {
                ObjectNode json = rank(round);
                // The first place is the selected host, the others are its alternates.
                return place == 0
                        ? finding(Verdict.CHOSEN, "claim", "the instance was placed on it", json)
                        : finding(Verdict.ALTERNATE, "rank", "alternate " + place + " of the instance", json);
            }
        }
        JsonNode selected = round.has("selected") && isNamedAt(round.get("selected"), 0) ? round.get("selected") : null;
        if (selected != null) {
            return finding(Verdict.CHOSEN, "claim", "it was selected; the request failed later", rank(round));
        }
        JsonNode claim = findFailedClaim(index);
        if (claim != null) {
            ObjectNode json = rank(round);
            // Element 4 is the outcome; 5 is the detail, which is missing if empty.
            json.set("code", claim.get(4));
            return finding(Verdict.NOT_CLAIMED, "claim", claim.path(5).asText(claim.get(4).asText()), json);
        }
        ObjectNode ranked = rank(round);
        if (ranked.has("rank")) {
            return finding(Verdict.RANKED, "rank", "passed all filters and came " + ranked.get("rank") + " of "
                    + round.get("passed") + " by weight", ranked);
        }
        Finding rejected = findRejected(round);
        return rejected != null ? rejected : findUnlisted(round, index, isRegistered);
    }

    /** Returns the rank of the host, from 1, and its weights; empty if the recorded ranking lacks the host. */
    private ObjectNode rank(JsonNode round) {
        JsonNode best = round.path("ranked");
        for (int rank = 0; rank < best.size(); rank++) {
            if (isNamedAt(best.get(rank), 0)) {
                ObjectNode json = decision.ranked(round, rank);
                json.remove(List.of("host", "nodename"));
                json.put("rank", rank + 1);
                return json;
            }
        }
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the first failed claim of the host for an instance; null if there is none. */
    private @Nullable JsonNode findFailedClaim(int index) {
        String instance = index < row.instances().size() ? row.instances().get(index).toString() : "";
        for (JsonNode claim : body.path("claims")) {
            // Element 0 is the instance, 1 the host, 4 the outcome.
            if (claim.get(0).asText().equals(instance) && isNamedAt(claim, 1)
                    && !claim.get(4).asText().startsWith("claimed")) {
                return claim;
            }
        }
        return null;
    }

    private @Nullable Finding findRejected(JsonNode round) {
        // Element 3 lists the dropped hosts, each as [by, rejected].
        for (JsonNode dropped : round.get("preselection").path(3)) {
            if (isNamedAt(dropped.get(1), 0)) {
                return rejectedFinding(dropped.get(0), dropped.get(1));
            }
        }
        for (JsonNode filter : round.path("filters")) {
            // Element 0 is the name of the filter, 3 lists the rejected hosts.
            for (JsonNode rejected : filter.path(3)) {
                if (isNamedAt(rejected, 0)) {
                    return rejectedFinding(filter.get(0), rejected);
                }
            }
        }
        return null;
    }

    private Finding rejectedFinding(JsonNode by, JsonNode rejected) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode reason = decision.rejection(rejected);
        json.set("by", by);
        json.set("code", reason.get("code"));
        json.set("values", reason.get("values"));
        return finding(Verdict.REJECTED, "filter", reason.get("reason").textValue(), json);
    }

    /**
     * Returns the finding for a host that does not occur in the record of a round: not as a place, failed claim or
     * ranked host, and not among the rejections.
     */
    private Finding findUnlisted(JsonNode round, int index, boolean isRegistered) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (row.offered() == null) {
            return finding(Verdict.NOT_RECORDED, "filter", "the record does not contain every host that was considered",
                    json);
        }
        if (!row.offered().contains(name)) {
            return explainNotOffered(isRegistered);
        }
        if (wasRejectedEarlier(index)) {
            return finding(Verdict.REJECTED, "filter", "it was rejected for an earlier instance of the request", json);
        }
        boolean isFailed = body.has("error") && !round.has("selected");
        // A round without a ranking although hosts passed was recorded without lists of hosts (RecordBody.SIZE_MAX).
        if (!isFailed && !round.has("ranked") && round.get("passed").asInt() > 0 || hasUnlistedRejections(index)) {
            return finding(Verdict.NOT_RECORDED, "filter",
                    "it was considered; the record does not list every host of this instance's round", json);
        }
        if (isFailed) {
            JsonNode error = body.get("error");
            json.set("by", error.get("name"));
            boolean byFilter = error.get("stage").asText().equals("filter");
            return finding(Verdict.NOT_EVALUATED, byFilter ? "filter" : "rank", error.get("detail").asText(), json);
        }
        return round.get("passed").asInt() == 0
                ? finding(Verdict.REJECTED, "filter", "it was rejected; the record does not list its rejection", json)
                : finding(Verdict.PASSED, "rank", "passed all filters; " + RecordBody.RANKED_MAX + " of "
                        + round.get("passed") + " weighed more", json);
    }

    /** Returns whether an earlier round rejected the host, which removes it from later rounds. */
    private boolean wasRejectedEarlier(int index) {
        for (JsonNode round : body.path("rounds")) {
            if (round.get("index").asInt() < index && findRejected(round) != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether this round, or an earlier one, rejected hosts that are not recorded. */
    private boolean hasUnlistedRejections(int index) {
        for (JsonNode round : body.path("rounds")) {
            if (round.get("index").asInt() <= index) {
                JsonNode before = round.get("preselection");
                // Element 0 is the number of hosts before, 1 after, 3 lists rejected hosts.
                boolean isCut = before.get(0).asInt() - before.get(1).asInt() > before.path(3).size();
                for (JsonNode filter : round.path("filters")) {
                    // Element 4 counts the rejected hosts that are not listed.
                    isCut |= filter.size() > 4;
                }
                if (isCut) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the finding for a request without rounds: a reschedule, or a request that ended before any host was
     * considered.
     */
    private Finding findWithoutRounds(boolean isRegistered) {
        if (row.result().equals(DecisionOutcome.Result.SELECTED.wireName())) {
            for (JsonNode place : body.path("places").path(0)) {
                if (isNamedAt(place, 0)) {
                    return finding(Verdict.CHOSEN, "claim", "the instance was placed on it",
                            JsonNodeFactory.instance.objectNode());
                }
            }
        }
        for (JsonNode claim : body.path("claims")) {
            if (isNamedAt(claim, 1)) {
                ObjectNode json = JsonNodeFactory.instance.objectNode();
                json.set("code", claim.get(4));
                return finding(Verdict.NOT_CLAIMED, "claim", claim.path(5).asText(claim.get(4).asText()), json);
            }
        }
        return explainNotOffered(isRegistered);
    }

    private Finding explainNotOffered(boolean isRegistered) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        JsonNode notOffered = findNotOffered();
        if (!isRegistered && notOffered == null) {
            return finding(Verdict.NOT_KNOWN, "placement", "it was not offered, and no host of that name is registered",
                    json);
        }
        JsonNode placement = body.path("placement");
        if (notOffered != null) {
            List<String> texts =
                    notOffered.path("obstacles").valueStream().map(each -> each.path("text").asText()).toList();
            json.set("by", notOffered.path("obstacles").path(0).path("by"));
            json.set("code", notOffered.path("obstacles").path(0).path("code"));
            return finding(Verdict.NOT_OFFERED, "placement", "placement did not offer it: " + String.join("; ", texts),
                    json);
        }
        if (placement.has("hosts")) {
            return finding(Verdict.NOT_OFFERED, "placement",
                    "placement did not offer it; of those that it did not offer, the record"
                            + " lists the %d that lacked least".formatted(placement.get("hosts").size()), json);
        }
        if (!placement.isMissingNode()) {
            return finding(Verdict.NOT_OFFERED, "placement", "placement offered no host at all", json);
        }
        return body.has("rounds")
                ? finding(Verdict.NOT_OFFERED, "placement", "placement did not offer it for the request", json)
                : finding(Verdict.NOT_OFFERED, "prefilter",
                        body.path("detail").asText("the request ended before any host was considered"), json);
    }

    private static Finding finding(Verdict verdict, String stage, String text, ObjectNode json) {
        json.put("verdict", verdict.wireName());
        json.put("stage", stage);
        json.put("text", text);
        return new Finding(verdict, json);
    }

    /**
     * Returns whether an array has a host of this name at a position, or a node of this name at the next position. A
     * stored node is null if it has the name of its host.
     */
    private boolean isNamedAt(JsonNode array, int position) {
        return array.get(position).asText().equals(name)
                || array.path(position + 1).isTextual() && array.get(position + 1).asText().equals(name);
    }
}
