package io.berth.scheduler.response;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;

/**
 * Renders the members {@code warnings} and {@code gaps}, which the JSON responses of several routes have, as text.
 * Pure.
 */
public final class Remarks {
    /** Maximum gaps that the text lists; the number of further gaps follows the list. */
    private static final int GAPS_MAX = 20;

    private Remarks() {}

    /** Writes a line for each element of {@code warnings}: members of the request that have no effect. */
    public static void writeWarnings(JsonNode response, PlainText out) {
        response.path("warnings").forEach(warning -> out.indented("Warning: " + warning.asText()));
    }

    /**
     * Writes that the response is not complete, and then {@code gaps}, the results that are missing. Writes nothing if
     * {@code complete} is true or absent. Call it last, because the text ends with the gaps.
     */
    public static void writeGaps(JsonNode response, PlainText out) {
        if (response.path("complete").asBoolean(true)) {
            return;
        }
        out.gap().line("Not complete; timeout_s (--timeout of the command) allows more time.");
        JsonNode gaps = response.path("gaps");
        gaps.valueStream().limit(GAPS_MAX).forEach(gap -> out.indented(gap.asText()));
        out.more(gaps.size() - GAPS_MAX, "");
    }
}
