package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.nova.shadow.Comparison.Reason;
import io.berth.scheduler.record.RecordedDecision;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Finds the reason why Berth did not choose nova's host, in the record of Berth's decision. Pure. */
final class Difference {
    private Difference() {}

    /**
     * Returns the comparison with the reason of the difference.
     *
     * @param differing a comparison with different hosts, without a reason
     * @param record the record of Berth's decision; null if there is none
     * @param index position of the instance in its request, from 0
     * @param claimed amounts that other instances claimed in the minute before Berth's choice, by host name and
     * resource class
     */
    static Comparison explain(
            Comparison differing, @Nullable RecordedDecision record, int index,
            Map<String, Map<String, Long>> claimed) {
        String host = differing.host();
        String novaHost = differing.novaHost();
        if (record == null || novaHost == null) {
            return differing.withReason(Reason.NOT_RECORDED, null, null, "there is no record of the decision");
        }
        JsonNode ofNova = judgement(record, novaHost, index);
        String text = ofNova.path("text").asText();
        return switch (ofNova.path("verdict").asText()) {
            case "rejected" -> differing.withReason(Reason.FILTER, ofNova.path("by").textValue(), null, text);
            case "not_offered", "not_known" -> differing.withReason(Reason.NOT_A_CANDIDATE, null, null, text);
            case "ranked", "alternate" -> host == null
                    ? differing.withReason(Reason.NOT_RECORDED, null, null, text)
                    : explainByRecentClaims(explainByWeight(differing, host, ofNova, record, index), record, index,
                            claimed);
            case "passed" -> differing.withReason(Reason.WEIGHT, null, null, text);
            default -> differing.withReason(Reason.NOT_RECORDED, null, null, text);
        };
    }

    /**
     * Tests whether recent claims made the difference. Returns the comparison with the reason {@code OLDER_VIEW} if
     * they did; otherwise with {@code WEIGHT}. Berth sees recent claims in placement. nova-scheduler reads usage from
     * the last reports of compute nodes, which may not contain these claims yet. The claims made the difference if
     * nova's host ranks first without them, alone or with others.
     */
    private static Comparison explainByRecentClaims(
            Comparison byWeight, RecordedDecision record, int index, Map<String, Map<String, Long>> claimed) {
        if (claimed.isEmpty()) {
            return byWeight;
        }
        JsonNode ranked = JsonBody.parse(record.render().getBytes(StandardCharsets.UTF_8))
                .path("instances").path(index).path("ranked");
        WithoutClaims withoutClaims = new WithoutClaims(ranked, claimed);
        String novaHost = byWeight.novaHost();
        String text = String.format(
                Locale.ROOT, "%s; without the claims of the previous minute: %.3f against %.3f, rank %d",
                byWeight.detail(), withoutClaims.weight(byWeight.host()), withoutClaims.weight(novaHost),
                withoutClaims.rank(novaHost));
        return withoutClaims.rank(novaHost) == 1
                ? byWeight.withReason(Reason.OLDER_VIEW, null, byWeight.novaWeight(), text)
                : byWeight.withReason(Reason.WEIGHT, byWeight.by(), byWeight.novaWeight(), text);
    }

    /**
     * Returns what the record says about a host for one instance of the request; for the whole request if the record
     * says nothing about this instance.
     */
    private static JsonNode judgement(RecordedDecision record, String host, int index) {
        JsonNode json = JsonBody.parse(record.host(host).render(true).getBytes(StandardCharsets.UTF_8));
        return json.path("instances").has(index) ? json.path("instances").get(index) : json;
    }

    /** Returns the comparison with both weights, and with the weigher, if any, that favored Berth's host most. */
    private static Comparison explainByWeight(
            Comparison differing, String host, JsonNode ofNova, RecordedDecision record, int index) {
        JsonNode weights = judgement(record, host, index).path("weights");
        String decisive = null;
        double gapMax = 0;
        for (int i = 0; i < weights.size(); i++) {
            double gap = weights.get(i).path("weighted").asDouble() - ofNova.path("weights").path(i).path("weighted")
                    .asDouble();
            if (gap > gapMax) {
                decisive = weights.get(i).path("weigher").asText();
                gapMax = gap;
            }
        }
        double weight = ofNova.path("weight").asDouble();
        String text = String.format(Locale.ROOT, "%.3f against %.3f, rank %d",
                differing.weight(), weight, ofNova.path("rank").asInt());
        return differing.withReason(Reason.WEIGHT, decisive, weight, text);
    }
}
