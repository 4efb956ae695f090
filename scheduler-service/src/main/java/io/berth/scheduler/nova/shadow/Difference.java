package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.nova.shadow.Comparison.Reason;
import io.berth.scheduler.record.RecordedDecision;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads in the record of what Berth tried why nova's host was not its choice. */
final class Difference {
    private Difference() {}

    /** @param record null where there is none */
    static Comparison explain(Comparison differing, @Nullable RecordedDecision record, int index) {
        if (record == null) {
            return differing.because(Reason.NOT_RECORDED, null, null, "there is no record of the decision");
        }
        JsonNode nova = of(record, differing.novaHost(), index);
        String text = nova.path("text").asText();
        return switch (nova.path("verdict").asText()) {
            case "rejected" -> differing.because(Reason.FILTER, nova.path("by").textValue(), null, text);
            case "not_offered", "not_known" -> differing.because(Reason.NOT_A_CANDIDATE, null, null, text);
            case "ranked", "alternate" -> byWeight(differing, nova, record, index);
            case "passed" -> differing.because(Reason.WEIGHT, null, null, text);
            default -> differing.because(Reason.NOT_RECORDED, null, null, text);
        };
    }

    private static JsonNode of(RecordedDecision record, String host, int index) {
        JsonNode told = JsonBody.parse(record.host(host).render(true).getBytes(StandardCharsets.UTF_8));
        return told.path("instances").has(index) ? told.path("instances").get(index) : told;
    }

    private static Comparison byWeight(Comparison differing, JsonNode nova, RecordedDecision record, int index) {
        JsonNode weights = of(record, differing.host(), index).path("weights");
        String most = null;
        double gapMax = 0;
        for (int i = 0; i < weights.size(); i++) {
            double gap = weights.get(i).path("weighted").asDouble() - nova.path("weights").path(i).path("weighted").asDouble();
            if (gap > gapMax) {
                most = weights.get(i).path("weigher").asText();
                gapMax = gap;
            }
        }
        double weight = nova.path("weight").asDouble();
        String text = String.format(Locale.ROOT, "%.3f against %.3f, rank %d",
                differing.weight(), weight, nova.path("rank").asInt());
        return differing.because(Reason.WEIGHT, most, weight, text);
    }
}
