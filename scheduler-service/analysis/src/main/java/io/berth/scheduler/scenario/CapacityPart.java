package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.capacity.CapacityAnalysis;
import io.berth.scheduler.job.Snapshot;
import jakarta.annotation.Nullable;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The part {@code capacity}: compares how many more instances of each request fit. */
record CapacityPart(CapacityAnalysis analysis) implements Part {
    @Override
    public String name() {
        return "capacity";
    }

    @Override
    public JsonNode evaluate(Snapshot cloud, Gaps gaps) {
        CapacityAnalysis.Counts counts = analysis.count(cloud);
        counts.gaps().forEach(gaps::add);
        return WhatIf.tree(counts::write);
    }

    @Override
    public JsonNode difference(JsonNode before, JsonNode after, Snapshot changed) {
        ArrayNode differences = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < after.size(); i++) {
            JsonNode countBefore = before.get(i);
            JsonNode countAfter = after.get(i);
            // If both counts were refused, the request may be invalid in every cloud; then throws ApiFault.
            if (countBefore.has("refused") && countAfter.has("refused")) {
                analysis.requireValid(i, changed);
            }
            ObjectNode difference = differences.addObject();
            difference.set("name", countAfter.get("name"));
            if (!isComplete(countBefore) || !isComplete(countAfter)) {
                difference.put("complete", false);
                continue;
            }
            difference.put("count", countAfter.path("count").asLong() - countBefore.path("count").asLong());
            if (countAfter.has("by")) {
                // Both results have one page of hosts. If the changes add or remove hosts, the pages may end at
                // different hosts. Only hosts up to the earlier end are comparable.
                String lastHost = Stream.of(countBefore, countAfter)
                        .map(each -> each.path("next_marker").textValue())
                        .filter(Objects::nonNull)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
                ObjectNode by = difference.putObject("by");
                countAfter.get("by").properties().forEach(split -> by.set(
                        split.getKey(),
                        differenceByName(countBefore.path("by").path(split.getKey()), split.getValue(),
                                split.getKey().equals("host") ? lastHost : null)));
                if (lastHost != null) {
                    difference.put("next_marker", lastHost);
                }
            }
        }
        return differences;
    }

    /** Returns whether the count is complete. Incomplete counts cannot be compared. */
    private static boolean isComplete(JsonNode count) {
        return count.path("complete").asBoolean(true);
    }

    /**
     * Returns the differences of the counts by name, without those that are 0.
     *
     * @param lastName the last name to compare, in text order; null: all names
     */
    private static ObjectNode differenceByName(JsonNode before, JsonNode after, @Nullable String lastName) {
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        ObjectNode differences = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            long change = after.path(name).asLong() - before.path(name).asLong();
            if (change != 0 && (lastName == null || name.compareTo(lastName) <= 0)) {
                differences.put(name, change);
            }
        }
        return differences;
    }
}
