package io.berth.deploy.load.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parses the header {@code Server-Timing}: {@code name;dur=MILLISECONDS[;desc=...], ...}. Source: W3C Server Timing.
 */
final class ServerTiming {
    private ServerTiming() {}

    /** Returns the durations in milliseconds by name, in the header's order. Skips metrics without a valid duration. */
    static Map<String, Double> parse(String header) {
        Map<String, Double> phases = new LinkedHashMap<>();
        for (String metric : header.split(",")) {
            String[] parts = metric.strip().split(";");
            for (int i = 1; i < parts.length; i++) {
                String parameter = parts[i].strip();
                if (parameter.startsWith("dur=") && parameter.substring(4).matches("\\d{1,9}(\\.\\d{1,9})?")) {
                    phases.put(parts[0].strip(), Double.valueOf(parameter.substring(4)));
                }
            }
        }
        return phases;
    }
}
