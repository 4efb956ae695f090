package io.berth.scheduler.placement.candidate;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.json.JsonLists;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One way to satisfy a query: amounts per provider, in placement's order, and the providers that serve each request
 * group. A claim sends both unchanged.
 *
 * @param allocations provider uuid to resource class to amount
 * @param mappings suffix of a request group ("" for the unnumbered group) to provider uuids; empty if unknown
 */
public record AllocationRequest(Map<String, Map<String, Long>> allocations, Map<String, List<String>> mappings) {
    /** An empty request. A claim of it releases everything that the consumer holds. */
    public static final AllocationRequest NONE = new AllocationRequest(Map.of(), Map.of());

    public AllocationRequest {
        Objects.requireNonNull(allocations, "allocations");
        Objects.requireNonNull(mappings, "mappings");
    }

    /** Returns the sum of several requests, without mappings. */
    public static AllocationRequest sum(Collection<AllocationRequest> requests) {
        Map<String, Map<String, Long>> sums = new LinkedHashMap<>();
        requests.forEach(request -> request.allocations().forEach((provider, amounts) -> {
            Map<String, Long> sum = sums.computeIfAbsent(provider, _ -> new LinkedHashMap<>());
            amounts.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
        }));
        return new AllocationRequest(sums, Map.of());
    }

    /** Writes the members {@code allocations} and, if there are any, {@code mappings} into the current JSON object. */
    public void renderMembers(JsonGenerator json) throws IOException {
        json.writeFieldName("allocations");
        renderAllocations(json, allocations);
        if (mappings.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("mappings");
        for (var group : mappings.entrySet()) {
            JsonLists.writeTexts(json, group.getKey(), group.getValue());
        }
        json.writeEndObject();
    }

    /**
     * Reads allocations in the form of placement. The JSON is not validated.
     *
     * @param json provider uuid to an object with {@code resources}; other members are ignored
     * @return provider uuid to resource class to amount
     */
    public static Map<String, Map<String, Long>> readAllocations(JsonNode json) {
        Map<String, Map<String, Long>> allocations = new LinkedHashMap<>();
        json.properties().forEach(provider -> {
            Map<String, Long> amounts = new LinkedHashMap<>();
            provider.getValue().path("resources").properties()
                    .forEach(amount -> amounts.put(amount.getKey(), amount.getValue().asLong()));
            allocations.put(provider.getKey(), amounts);
        });
        return allocations;
    }

    private static void renderAllocations(JsonGenerator json, Map<String, Map<String, Long>> allocations)
            throws IOException {
        json.writeStartObject();
        for (var provider : allocations.entrySet()) {
            json.writeObjectFieldStart(provider.getKey());
            json.writeObjectFieldStart("resources");
            for (var resource : provider.getValue().entrySet()) {
                json.writeNumberField(resource.getKey(), resource.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
