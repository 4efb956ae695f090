package io.berth.scheduler.boot;

import io.berth.scheduler.http.JsonBody;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What allocations come to, resource class by resource class: the same wherever a request is placed, but for one with
 * dedicated CPUs, which is PCPU on some hosts and VCPU on others.
 */
public final class Resources {
    private Resources() {}

    /** @param allocations provider uuid to resource class to amount */
    public static Map<String, Long> of(Map<String, Map<String, Long>> allocations) {
        Map<String, Long> totals = new HashMap<>();
        allocations.values().forEach(amounts -> amounts.forEach((name, amount) -> totals.merge(name, amount, Long::sum)));
        return totals;
    }

    /** @param totals all that there are */
    static String render(Set<Map<String, Long>> totals) {
        return totals.size() == 1
                ? new JsonObject(Map.copyOf(totals.iterator().next())).encode()
                : new JsonArray(List.copyOf(totals)).encode();
    }

    /** Reads what {@link #render} wrote. */
    static Set<Map<String, Long>> parse(String text) {
        JsonNode json = JsonBody.parse(text.getBytes(StandardCharsets.UTF_8));
        Set<Map<String, Long>> all = new HashSet<>();
        for (JsonNode each : json.isArray() ? json : List.of(json)) {
            Map<String, Long> totals = new HashMap<>();
            each.properties().forEach(member -> totals.put(member.getKey(), member.getValue().asLong()));
            all.add(totals);
        }
        return all;
    }
}
