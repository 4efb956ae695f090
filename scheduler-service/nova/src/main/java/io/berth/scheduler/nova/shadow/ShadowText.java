package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;

/**
 * Renders the comparison with nova-scheduler as text for people, from the JSON response of {@link ShadowEndpoint}.
 * Pure.
 */
final class ShadowText {
    /** The maximum number of rows in a table; a last line has the number of the omitted ones. */
    private static final int ROWS_MAX = 100;

    private ShadowText() {}

    static String of(JsonNode response) {
        var out = new PlainText();
        JsonNode verdicts = response.path("verdicts");
        out.line(PlainText.format("%,d instances: %,d agreed, %,d of equal weight, %,d different, %,d refused by both,"
                + " %,d not comparable",
                response.path("instances").asLong(), verdicts.path("agreed").asLong(),
                verdicts.path("equal_weight").asLong(), verdicts.path("different").asLong(),
                verdicts.path("both_refused").asLong(), verdicts.path("not_comparable").asLong()));
        out.indented(PlainText.format(
                "This replica waits for nova's claims of %,d instances, and dropped %,d since it started.",
                response.path("waiting").asLong(), response.path("dropped").asLong()));
        if (response.path("decided_ms").path("median").isNumber()) {
            out.indented("Berth chose after " + times(response.path("decided_ms")) + "; nova's claim was seen after "
                    + times(response.path("claim_seen_ms")) + ".");
        }
        var reasons = new Table(ROWS_MAX, "instances", "verdict", "reason", "by");
        response.path("reasons").forEach(each -> reasons.row(
                each.path("count").asLong(), words(each.path("verdict")), words(each.path("reason")),
                each.path("by").asText("")));
        var differences = new Table(ROWS_MAX, "instance", "Berth's choice and nova's");
        response.path("differences").forEach(
                each -> differences.row(each.path("instance_uuid").asText(), choices(each)));
        out.table(reasons).table(differences);
        if (!differences.isEmpty()) {
            out.gap().indented("Each decision as it was made: berth why INSTANCE.");
        }
        return out.toString();
    }

    private static String choices(JsonNode difference) {
        String by = difference.path("by").isTextual() ? " by " + difference.path("by").asText() : "";
        String detail = difference.path("detail").isTextual() ? ": " + difference.path("detail").asText() : "";
        return difference.path("host").asText("none") + ", nova " + difference.path("nova_host").asText() + "; "
                + words(difference.path("reason")) + by + detail;
    }

    private static String times(JsonNode times) {
        return times.path("median").isNumber()
                ? PlainText.format("%,.0f ms (nine of ten within %,.0f)",
                        times.path("median").asDouble(), times.path("p90").asDouble())
                : "-";
    }

    private static String words(JsonNode name) {
        return name.asText().replace('_', ' ');
    }
}
