package io.berth.scheduler.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.EnumSet;
import java.util.List;

/** Explains from a decision's record why one host was selected or not. */
public final class HostThen {
    /**
     * The outcome for the host. A request of several instances has one for each. Declared best first: the best verdict
     * over the instances is reported.
     */
    public enum Verdict implements WireNamed {
        CHOSEN,
        /** The host was an alternate. */
        ALTERNATE,
        /** The host was tried, and the claim did not hold. */
        NOT_CLAIMED,
        /** The host was among the best, and others were better. */
        RANKED,
        /** The host passed all filters, and more than {@value RecordBody#RANKED_MAX} were better. */
        PASSED,
        /** A filter or the request itself rejected the host. */
        REJECTED,
        /** A filter or a weigher could not read the request, so no host was possible. */
        NOT_EVALUATED,
        /** The record was too large to include each host. */
        NOT_RECORDED,
        /** Placement, or a prefilter before it, left the host out. */
        NOT_OFFERED,
        /** No host of that name is known. */
        NOT_KNOWN;
    }

    private record Said(Verdict verdict, ObjectNode json) {}

    private final DecisionRow row;
    private final JsonNode body;
    private final String name;
    private final RecordedDecision decision;

    HostThen(DecisionRow row, JsonNode body, String name, RecordedDecision decision) {
        this.row = row;
        this.body = body;
        this.name = name;
        this.decision = decision;
    }

    /** @param isRegistered whether a host of that name is registered, so that it is known even if it was not offered */
    public String render(boolean isRegistered) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("decision_id", row.id().toString());
        json.put("host", name);
        json.put("result", row.result());
        ArrayNode all = json.putArray("instances");
        Said best = null;
        for (JsonNode round : body.path("rounds")) {
            Said said = of(round, isRegistered);
            best = best == null || said.verdict().compareTo(best.verdict()) < 0 ? said : best;
            all.add(said.json());
        }
        Said finding = best == null ? withoutRounds(isRegistered) : best;
        finding.json().properties().stream()
                .filter(member -> !member.getKey().equals("index"))
                .forEach(member -> json.set(member.getKey(), member.getValue()));
        json.set("obstacles", obstacles(finding));
        return json.toString();
    }

    /**
     * Returns the obstacles of the host as far as recorded. The filters after the one that rejected it were not
     * evaluated.
     */
    private JsonNode obstacles(Said finding) {
        ArrayNode obstacles = JsonNodeFactory.instance.arrayNode();
        if (finding.verdict() == Verdict.NOT_OFFERED) {
            JsonNode leftOut = leftOut();
            if (leftOut != null) {
                return leftOut.path("obstacles");
            }
        }
        if (EnumSet.of(Verdict.NOT_CLAIMED, Verdict.REJECTED, Verdict.NOT_EVALUATED, Verdict.NOT_OFFERED).contains(finding.verdict())) {
            ObjectNode obstacle = obstacles.addObject();
            obstacle.set("stage", finding.json().get("stage"));
            obstacle.set("by", finding.json().path("by").isTextual() ? finding.json().get("by") : finding.json().get("stage"));
            obstacle.set("code", finding.json().path("code").isTextual() ? finding.json().get("code") : finding.json().get("verdict"));
            obstacle.set("text", finding.json().get("text"));
        }
        return obstacles;
    }

    /** Returns placement's obstacles for the host; null if they are not recorded. */
    private @Nullable JsonNode leftOut() {
        for (JsonNode host : body.path("placement").path("hosts")) {
            if (host.path("host").asText().equals(name) || host.path("nodename").asText().equals(name)) {
                return host;
            }
        }
        return null;
    }

    // Numbers in get and path are positions in the arrays that RecordBody's javadoc lists.
    private Said of(JsonNode round, boolean isRegistered) {
        int index = round.get("index").asInt();
        Said said = inRound(round, index, isRegistered);
        said.json().put("index", index);
        return said;
    }

    private Said inRound(JsonNode round, int index, boolean isRegistered) {
        JsonNode places = body.path("places").path(index);
        for (int place = 0; place < places.size(); place++) {
            if (isIt(places.get(place), 0)) {
                ObjectNode json = rank(round);
                // The first place is the selected host, the others are its alternates.
                return place == 0
                        ? said(Verdict.CHOSEN, "claim", "the instance went there", json)
                        : said(Verdict.ALTERNATE, "rank", "alternate " + place + " of the instance", json);
            }
        }
        JsonNode instance = round.has("selected") && isIt(round.get("selected"), 0) ? round.get("selected") : null;
        if (instance != null) {
            return said(Verdict.CHOSEN, "claim", "the instance was to go there; the request failed later", rank(round));
        }
        JsonNode claim = refusedClaim(index);
        if (claim != null) {
            ObjectNode json = rank(round);
            // 4 outcome, 5 detail, which is left out if it is empty.
            json.set("code", claim.get(4));
            return said(Verdict.NOT_CLAIMED, "claim", claim.path(5).asText(claim.get(4).asText()), json);
        }
        ObjectNode ranked = rank(round);
        if (ranked.has("rank")) {
            return said(Verdict.RANKED, "rank", "passed all filters and came " + ranked.get("rank") + " of "
                    + round.get("passed") + " by weight", ranked);
        }
        Said rejected = rejected(round);
        return rejected != null ? rejected : elsewhere(round, index, isRegistered);
    }

    /** Returns the host's rank, from 1, and its weights; empty if it was not among the best. */
    private ObjectNode rank(JsonNode round) {
        JsonNode best = round.path("ranked");
        for (int rank = 0; rank < best.size(); rank++) {
            if (isIt(best.get(rank), 0)) {
                ObjectNode json = decision.ranked(round, rank);
                json.remove(List.of("host", "nodename"));
                json.put("rank", rank + 1);
                return json;
            }
        }
        return JsonNodeFactory.instance.objectNode();
    }

    private JsonNode refusedClaim(int index) {
        String instance = index < row.instances().size() ? row.instances().get(index).toString() : "";
        for (JsonNode claim : body.path("claims")) {
            // 0 instance, 1 host, 4 outcome.
            if (claim.get(0).asText().equals(instance) && isIt(claim, 1) && !claim.get(4).asText().startsWith("claimed")) {
                return claim;
            }
        }
        return null;
    }

    private Said rejected(JsonNode round) {
        // A dropped host is [by, rejected].
        for (JsonNode dropped : round.get("preselection").path(3)) {
            if (isIt(dropped.get(1), 0)) {
                return rejected(dropped.get(0), dropped.get(1));
            }
        }
        for (JsonNode filter : round.path("filters")) {
            // 0 name, 3 rejected hosts.
            for (JsonNode rejected : filter.path(3)) {
                if (isIt(rejected, 0)) {
                    return rejected(filter.get(0), rejected);
                }
            }
        }
        return null;
    }

    private Said rejected(JsonNode by, JsonNode rejected) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode reason = decision.rejection(rejected);
        json.set("by", by);
        json.set("code", reason.get("code"));
        json.set("values", reason.get("values"));
        return said(Verdict.REJECTED, "filter", reason.get("reason").textValue(), json);
    }

    /** Handles a host that is neither among the best nor recorded as rejected. */
    private Said elsewhere(JsonNode round, int index, boolean isRegistered) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (row.offered() == null) {
            return said(Verdict.NOT_RECORDED, "filter", "the record does not hold each host that was looked at", json);
        }
        if (!row.offered().contain(name)) {
            return notOffered(isRegistered);
        }
        if (wasGone(index)) {
            return said(Verdict.REJECTED, "filter", "it was rejected for an instance before", json);
        }
        boolean isFailed = body.has("error") && !round.has("selected");
        if (!isFailed && !round.has("ranked") && round.get("passed").asInt() > 0 || isCut(index)) {
            return said(Verdict.NOT_RECORDED, "filter", "it was looked at; the record counts the hosts behind the first "
                    + RecordBody.REJECTED_MAX + " that were rejected", json);
        }
        if (isFailed) {
            JsonNode error = body.get("error");
            json.set("by", error.get("name"));
            boolean byFilter = error.get("stage").asText().equals("filter");
            return said(Verdict.NOT_EVALUATED, byFilter ? "filter" : "rank", error.get("detail").asText(), json);
        }
        return round.get("passed").asInt() == 0
                ? said(Verdict.REJECTED, "filter", "it was rejected for an instance before", json)
                : said(Verdict.PASSED, "rank", "passed all filters; " + RecordBody.RANKED_MAX + " of "
                        + round.get("passed") + " weighed more", json);
    }

    /** Returns whether an earlier round rejected the host, which removes it from later rounds. */
    private boolean wasGone(int index) {
        for (JsonNode round : body.path("rounds")) {
            if (round.get("index").asInt() < index && rejected(round) != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether this round, or an earlier one, rejected hosts that are not recorded. */
    private boolean isCut(int index) {
        for (JsonNode round : body.path("rounds")) {
            if (round.get("index").asInt() <= index) {
                JsonNode before = round.get("preselection");
                // 0 hosts in, 1 hosts out, 3 listed rejected hosts.
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

    private Said withoutRounds(boolean isRegistered) {
        if (row.result().equals(Ending.Result.SELECTED.wireName())) {
            for (JsonNode place : body.path("places").path(0)) {
                if (isIt(place, 0)) {
                    return said(Verdict.CHOSEN, "claim", "the instance went there", JsonNodeFactory.instance.objectNode());
                }
            }
        }
        for (JsonNode claim : body.path("claims")) {
            if (isIt(claim, 1)) {
                ObjectNode json = JsonNodeFactory.instance.objectNode();
                json.set("code", claim.get(4));
                return said(Verdict.NOT_CLAIMED, "claim", claim.path(5).asText(claim.get(4).asText()), json);
            }
        }
        return notOffered(isRegistered);
    }

    private Said notOffered(boolean isRegistered) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        JsonNode leftOut = leftOut();
        if (!isRegistered && leftOut == null) {
            return said(Verdict.NOT_KNOWN, "placement", "it was not offered, and no host of that name is registered", json);
        }
        JsonNode placement = body.path("placement");
        if (leftOut != null) {
            List<String> texts = leftOut.path("obstacles").valueStream().map(each -> each.path("text").asText()).toList();
            json.set("by", leftOut.path("obstacles").path(0).path("by"));
            json.set("code", leftOut.path("obstacles").path(0).path("code"));
            return said(Verdict.NOT_OFFERED, "placement", "placement did not offer it: " + String.join("; ", texts), json);
        }
        if (placement.has("hosts")) {
            return said(Verdict.NOT_OFFERED, "placement", "placement did not offer it; of those that it did not offer, the record"
                    + " lists the %d that lacked least".formatted(placement.get("hosts").size()), json);
        }
        if (!placement.isMissingNode()) {
            return said(Verdict.NOT_OFFERED, "placement", "placement offered no host at all", json);
        }
        return body.has("rounds")
                ? said(Verdict.NOT_OFFERED, "placement", "placement did not offer it for the request", json)
                : said(Verdict.NOT_OFFERED, "prefilter", body.path("detail").asText("the request ended before hosts were looked at"), json);
    }

    private static Said said(Verdict verdict, String stage, String text, ObjectNode json) {
        json.put("verdict", verdict.wireName());
        json.put("stage", stage);
        json.put("text", text);
        return new Said(verdict, json);
    }

    /** Returns whether this host, or its node, is at that position of an array; the node may be null there. */
    private boolean isIt(JsonNode array, int at) {
        return array.get(at).asText().equals(name)
                || array.path(at + 1).isTextual() && array.get(at + 1).asText().equals(name);
    }
}
