package io.berth.scheduler.boot;

import io.berth.scheduler.http.JsonBody;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What allocations come to, resource class by resource class: the same wherever a request is placed. */
public final class Resources {
    private Resources() {}

    /** @param allocations provider uuid to resource class to amount */
    public static Map<String, Long> of(Map<String, Map<String, Long>> allocations) {
        Map<String, Long> totals = new HashMap<>();
        allocations.values().forEach(amounts -> amounts.forEach((name, amount) -> totals.merge(name, amount, Long::sum)));
        return totals;
    }

    static String render(Map<String, Long> totals) {
        JsonObject json = new JsonObject();
        totals.forEach(json::put);
        return json.encode();
    }

    /** Reads what {@link #render} wrote. */
    static Map<String, Long> parse(String text) {
        Map<String, Long> totals = new HashMap<>();
        JsonBody.parse(text.getBytes(StandardCharsets.UTF_8))
                .properties()
                .forEach(member -> totals.put(member.getKey(), member.getValue().asLong()));
        return totals;
    }
}
