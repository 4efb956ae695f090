package io.berth.scheduler.answer;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;

/** Writes the remarks that answers of several routes have in common. Pure. */
public final class Remarks {
    private static final int GAPS_MAX = 20;

    private Remarks() {}

    /** Writes the parts of a request that have no effect. */
    public static void writeWarnings(JsonNode answer, PlainText out) {
        answer.path("warnings").forEach(warning -> out.indented("Warning: " + warning.asText()));
    }

    /** Writes what is missing of an incomplete answer, as the last part of its text. */
    public static void writeGaps(JsonNode answer, PlainText out) {
        if (answer.path("complete").asBoolean(true)) {
            return;
        }
        out.gap().line("Not complete; timeout_s (--timeout of the command) allows more time.");
        JsonNode gaps = answer.path("gaps");
        gaps.valueStream().limit(GAPS_MAX).forEach(gap -> out.indented(gap.asText()));
        out.more(gaps.size() - GAPS_MAX, "");
    }
}
