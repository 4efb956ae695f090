package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;

/** Prints the parts of a request that have no effect, as the scheduler reports them. */
final class Warnings {
    private Warnings() {}

    /** @param answer that may have the member {@code warnings} */
    static void print(JsonNode answer, PrintWriter out) {
        answer.path("warnings").forEach(warning -> Table.printText("Warning: " + warning.asText(), out));
    }
}
