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

/** Compares how many more instances of each request fit. */
record CapacityPart(CapacityAnalysis analysis) implements Part {
    @Override
    public String name() {
        return "capacity";
    }

    @Override
    public JsonNode ask(Snapshot cloud, Gaps gaps) {
        CapacityAnalysis.Counts counts = analysis.count(cloud);
        counts.gaps().forEach(gaps::add);
        return WhatIf.tree(counts::write);
    }

    @Override
    public JsonNode difference(JsonNode before, JsonNode after, Snapshot changed) {
        ArrayNode differences = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < after.size(); i++) {
            JsonNode now = before.get(i);
            JsonNode then = after.get(i);
            if (now.has("refused") && then.has("refused")) {
                analysis.requireRight(i, changed);
            }
            ObjectNode difference = differences.addObject();
            difference.set("name", then.get("name"));
            if (!isComplete(now) || !isComplete(then)) {
                difference.put("complete", false);
                continue;
            }
            difference.put("count", then.path("count").asLong() - now.path("count").asLong());
            if (then.has("by")) {
                // If the changes add or remove hosts, the pages of both results may end at different hosts. Only hosts
                // up to the earlier end are comparable.
                String last = Stream.of(now, then)
                        .map(each -> each.path("next_marker").textValue())
                        .filter(Objects::nonNull)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
                ObjectNode by = difference.putObject("by");
                then.get("by").properties().forEach(split -> by.set(
                        split.getKey(),
                        split(now.path("by").path(split.getKey()), split.getValue(),
                                split.getKey().equals("host") ? last : null)));
                if (last != null) {
                    difference.put("next_marker", last);
                }
            }
        }
        return differences;
    }

    /** Returns whether the count is complete. Incomplete counts cannot be compared. */
    private static boolean isComplete(JsonNode counted) {
        return counted.path("complete").asBoolean(true);
    }

    /**
     * Returns the differences of the counts by name, without those that are 0.
     *
     * @param last the last name to compare; null: all names
     */
    private static ObjectNode split(JsonNode before, JsonNode after, @Nullable String last) {
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        ObjectNode differences = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            long more = after.path(name).asLong() - before.path(name).asLong();
            if (more != 0 && (last == null || name.compareTo(last) <= 0)) {
                differences.put(name, more);
            }
        }
        return differences;
    }
}
