package io.berth.scheduler.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.capacity.CapacityQuestion;
import io.berth.scheduler.question.Snapshot;
import java.util.LinkedHashSet;
import java.util.Set;

/** How many more of each request fit. */
record CapacityPart(CapacityQuestion question) implements Part {
    @Override
    public String name() {
        return "capacity";
    }

    @Override
    public JsonNode ask(Snapshot cloud, Gaps gaps) {
        CapacityQuestion.Counts counts = question.count(cloud);
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
                question.requireRight(i, changed);
            }
            ObjectNode difference = differences.addObject();
            difference.set("name", then.get("name"));
            difference.put("count", then.path("count").asLong() - now.path("count").asLong());
            if (then.has("by")) {
                ObjectNode by = difference.putObject("by");
                then.get("by").properties().forEach(
                        split -> by.set(split.getKey(), split(now.path("by").path(split.getKey()), split.getValue())));
            }
        }
        return differences;
    }

    /** Those that are not the same. */
    private static ObjectNode split(JsonNode before, JsonNode after) {
        Set<String> names = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        ObjectNode differences = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            long more = after.path(name).asLong() - before.path(name).asLong();
            if (more != 0) {
                differences.put(name, more);
            }
        }
        return differences;
    }
}
