package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.scheduler.response.Remarks;
import java.util.Map;
import java.util.StringJoiner;

/** Renders the JSON response of {@link ExplanationsEndpoint}, in full or for tenants, as text for people. */
final class ExplanationText {
    /** The maximum number of characters of a demand or filter in a row; a longer name is cut. */
    private static final int NAME_WIDTH_MAX = 36;
    /** The maximum number of rows in a table; a last line has the number of the omitted ones. */
    private static final int ROWS_MAX = 50;
    /**
     * Maps the member that has the name of a thing to the member that has its uuid. If a change has both members, only
     * the name is shown.
     */
    private static final Map<String, String> UUID_OF_NAME = Map.of("provider_name", "provider", "name", "aggregate");

    private ExplanationText() {}

    static String of(JsonNode response) {
        var out = new PlainText();
        response.path("placed").forEach(instance -> out.indented(
                instance.path("instance").asText() + " has been placed since, on " + instance.path("host").asText()));
        Remarks.writeWarnings(response, out);
        if (response.path("hosts").isArray()) {
            response.path("hosts").forEach(host -> write(host, out.gap()));
        } else {
            writeCounts(response, out.gap());
        }
        Remarks.writeGaps(response, out);
        return out.toString();
    }

    private static void writeCounts(JsonNode response, PlainText out) {
        out.line(PlainText.format(
                "%,d of %,d hosts are admissible",
                response.path("admissible").asLong(), response.path("hosts").asLong()));
        var causes = new Table(ROWS_MAX, "hosts", "stage", "what is in the way");
        response.path("obstacles").forEach(each -> causes.row(
                each.path("hosts").asLong(), each.path("stage").asText(),
                each.path("by").asText() + ": " + each.path("code").asText()));
        out.table(causes);
    }

    private static void write(JsonNode host, PlainText out) {
        String rank = !host.path("rank").isNumber() ? ""
                : PlainText.format(", rank %d of %d", host.path("rank").asInt(), host.path("ranked").asInt());
        out.line(host.path("host").asText() + ": " + host.path("verdict").asText() + rank);
        out.table(obstacles(host.path("obstacles")));
        out.table(betterScores(host.path("behind")));
        for (JsonNode set : host.path("admitted_by")) {
            out.gap().indented("Enough would be:");
            set.forEach(change -> writeChange(change, out));
        }
    }

    private static Table obstacles(JsonNode obstacles) {
        var table = new Table(ROWS_MAX, "stage", "by", "what is in the way");
        for (JsonNode each : obstacles) {
            String by = each.path("by").asText();
            String text = each.path("text").asText();
            table.row(each.path("stage").asText(),
                    by.length() <= NAME_WIDTH_MAX ? by : by.substring(0, NAME_WIDTH_MAX - 3) + "...",
                    text.startsWith(by + ": ") ? text.substring(by.length() + 2) : text);
        }
        return table;
    }

    private static Table betterScores(JsonNode weighers) {
        var table = new Table(ROWS_MAX, "behind the best by", "score", "best", "has", "best has");
        weighers.forEach(each -> table.row(
                each.path("by").asText(),
                PlainText.format("%.3f", each.path("score").asDouble()),
                PlainText.format("%.3f", each.path("best_score").asDouble()),
                PlainText.format("%,.0f", each.path("raw").asDouble()),
                PlainText.format("%,.0f", each.path("best_raw").asDouble())));
        return table;
    }

    /** Writes a change that an operator could make, with the call that makes it. */
    private static void writeChange(JsonNode change, PlainText out) {
        var members = new StringJoiner(", ");
        for (Map.Entry<String, JsonNode> each : change.properties()) {
            String label = UUID_OF_NAME.getOrDefault(each.getKey(), each.getKey());
            boolean isNamed = UUID_OF_NAME.entrySet().stream()
                    .anyMatch(name -> name.getValue().equals(each.getKey()) && change.has(name.getKey()));
            if (!each.getKey().equals("change") && !each.getKey().equals("call") && !isNamed) {
                members.add(label + " " + (each.getValue().isValueNode() ? each.getValue().asText()
                        : each.getValue().toString()));
            }
        }
        out.item("    * ", change.path("change").asText() + ": " + members);
        JsonNode call = change.path("call");
        if (call.path("method").isTextual()) {
            out.item("      ", call.path("method").asText() + " " + call.path("path").asText());
            if (call.path("body").isContainerNode()) {
                out.json("      ", call.path("body").toString());
            }
        }
    }
}
