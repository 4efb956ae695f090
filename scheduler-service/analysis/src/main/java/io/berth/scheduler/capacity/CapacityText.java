package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.Bar;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.scheduler.response.Remarks;
import java.util.List;
import java.util.StringJoiner;

/** Renders the JSON response of {@link CapacityEndpoint} as text for people. Pure. */
final class CapacityText {
    /** The maximum width of a bar, in characters. */
    private static final int BAR = 24;
    private static final int REQUESTS_MAX = 100;
    private static final int PARTS_MAX = 100;

    private CapacityText() {}

    static String of(JsonNode answer) {
        var out = new PlainText();
        JsonNode requests = answer.path("requests");
        requests.valueStream().limit(REQUESTS_MAX).forEach(request -> write(request, out.gap()));
        if (requests.size() > REQUESTS_MAX) {
            out.gap().more(requests.size() - REQUESTS_MAX, "requests");
        }
        Remarks.writeGaps(answer, out);
        return out.toString();
    }

    private static void write(JsonNode request, PlainText out) {
        boolean isMore = request.path("capped").asBoolean() || !request.path("complete").asBoolean(true);
        out.line(PlainText.format("%s: %s%,d more",
                request.path("name").asText(), isMore ? "at least " : "", request.path("count").asLong()));
        for (String why : List.of("refused", "why")) {
            if (request.path(why).isTextual()) {
                out.indented(request.path(why).asText());
            }
        }
        Remarks.writeWarnings(request, out);
        request.path("by").properties().forEach(split -> out.table(split(split.getKey(), split.getValue())));
        if (request.path("next_marker").isTextual()) {
            out.indented("There are more hosts, with the marker " + request.path("next_marker").asText());
        }
        var binding = new StringJoiner(", ");
        request.path("binding").properties().forEach(stop -> binding.add(
                PlainText.format("%s on %,d hosts", stop.getKey(), stop.getValue().asLong())));
        if (binding.length() > 0) {
            out.gap().indented("What stops the next one: " + binding);
        }
    }

    private static Table split(String kind, JsonNode parts) {
        long max = parts.valueStream().mapToLong(JsonNode::asLong).max().orElse(0);
        var table = new Table(PARTS_MAX, kind, "more", "");
        parts.properties().forEach(part -> table.row(
                part.getKey(), part.getValue().asLong(), Bar.of(part.getValue().asLong(), max, BAR)));
        return table;
    }
}
