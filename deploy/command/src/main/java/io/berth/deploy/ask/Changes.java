package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.Map;
import java.util.StringJoiner;

/** Prints changes that an operator could make, with the calls that make them. */
final class Changes {
    private static final int WIDTH = 93;
    /** Maps a member with a name to the member with its uuid: only the name is printed. */
    private static final Map<String, String> NAMES = Map.of("provider_name", "provider", "name", "aggregate");

    private Changes() {}

    static void print(JsonNode change, PrintWriter out) {
        var members = new StringJoiner(", ");
        for (Map.Entry<String, JsonNode> each : change.properties()) {
            String label = NAMES.getOrDefault(each.getKey(), each.getKey());
            boolean isNamed = NAMES.entrySet().stream()
                    .anyMatch(name -> name.getValue().equals(each.getKey()) && change.has(name.getKey()));
            if (!each.getKey().equals("change") && !each.getKey().equals("call") && !isNamed) {
                members.add(label + " " + (each.getValue().isValueNode() ? each.getValue().asText()
                        : each.getValue().toString()));
            }
        }
        lines(out, "    * ", change.path("change").asText() + ": " + members);
        JsonNode call = change.path("call");
        if (call.path("method").isTextual()) {
            lines(out, "      ", call.path("method").asText() + " " + call.path("path").asText());
            if (call.path("body").isContainerNode()) {
                // Prints one line, however long, so that it can be copied.
                out.println("      " + call.path("body"));
            }
        }
    }

    private static void lines(PrintWriter out, String begin, String text) {
        String before = begin;
        for (String line : Table.wrap(text, WIDTH)) {
            out.println(before + line);
            before = " ".repeat(begin.length());
        }
    }
}
