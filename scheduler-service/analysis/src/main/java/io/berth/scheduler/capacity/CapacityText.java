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
    private static final int BAR_WIDTH_MAX = 24;
    /** The maximum number of requests that are shown; the text names the number of further ones. */
    private static final int REQUESTS_MAX = 100;
    /** The maximum number of rows in a table of zones, aggregates, cells or hosts. */
    private static final int ROWS_MAX = 100;

    private CapacityText() {}

    static String of(JsonNode response) {
        var out = new PlainText();
        JsonNode requests = response.path("requests");
        requests.valueStream().limit(REQUESTS_MAX).forEach(request -> write(request, out.gap()));
        if (requests.size() > REQUESTS_MAX) {
            out.gap().more(requests.size() - REQUESTS_MAX, "requests");
        }
        Remarks.writeGaps(response, out);
        return out.toString();
    }

    private static void write(JsonNode request, PlainText out) {
        boolean isLowerBound = request.path("capped").asBoolean() || !request.path("complete").asBoolean(true);
        out.line(PlainText.format("%s: %s%,d more",
                request.path("name").asText(), isLowerBound ? "at least " : "", request.path("count").asLong()));
        for (String member : List.of("refused", "why")) {
            if (request.path(member).isTextual()) {
                out.indented(request.path(member).asText());
            }
        }
        Remarks.writeWarnings(request, out);
        request.path("by").properties().forEach(
                dimension -> out.table(split(dimension.getKey(), dimension.getValue())));
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

    private static Table split(String dimension, JsonNode counts) {
        long max = counts.valueStream().mapToLong(JsonNode::asLong).max().orElse(0);
        var table = new Table(ROWS_MAX, dimension, "more", "");
        counts.properties().forEach(count -> table.row(
                count.getKey(), count.getValue().asLong(), Bar.of(count.getValue().asLong(), max, BAR_WIDTH_MAX)));
        return table;
    }
}
