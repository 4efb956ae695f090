package io.berth.scheduler.request.query;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Sums the amounts that a query to placement requests, over all its request groups. */
public final class Amounts {
    private Amounts() {}

    /**
     * Returns the amounts by resource class.
     *
     * @param query a query string for {@code GET /allocation_candidates}, as {@link QueryConstruction} builds it
     */
    public static Map<String, Long> of(String query) {
        Map<String, Long> sums = new TreeMap<>();
        for (String parameter : query.split("&")) {
            int equals = parameter.indexOf('=');
            if (!parameter.startsWith("resources") || equals < 0) {
                continue;
            }
            for (String item : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8).split(",")) {
                int colon = item.lastIndexOf(':');
                if (colon > 0) {
                    sums.merge(item.substring(0, colon), Long.parseLong(item.substring(colon + 1)), Long::sum);
                }
            }
        }
        return sums;
    }
}
