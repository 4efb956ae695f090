package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Adapts the calls of a set of changes so that they can be made one after the other. Each call writes a whole resource
 * (all traits of a provider, an inventory, a service, an aggregate). A later call therefore repeats what earlier calls
 * changed in the same resource, even through the placement sync, and names the generation that the earlier calls leave.
 * For one set.
 */
final class CallsInOrder {
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    private static final String GENERATION = "resource_provider_generation";

    private final Evaluation.Host host;
    /** The number of earlier writes to each provider, by uuid. */
    private final Map<String, Integer> writes = new HashMap<>();
    /**
     * Traits and aggregates that the placement sync adds because of calls to the scheduler; {@code removed} has those
     * that it removes. The key is the provider's uuid followed by {@code traits} or {@code aggregates}.
     */
    private final Map<String, Set<String>> added = new HashMap<>();
    private final Map<String, Set<String>> removed = new HashMap<>();

    CallsInOrder(Evaluation.Host host) {
        this.host = host;
    }

    /**
     * Returns the changes with adapted calls. Merges changes that write the same resource of placement into one change,
     * which lists the other ones in its member {@code also}.
     */
    List<Change> of(List<Change> changes) {
        Map<String, ObjectNode> first = new LinkedHashMap<>();
        List<Change> merged = new ArrayList<>();
        for (Change change : changes) {
            ObjectNode json = change.json().deepCopy();
            ObjectNode before = first.putIfAbsent(change.place(), json);
            if (before == null) {
                merged.add(new Change(change.key(), change.ofRequest(), json, change.effect()));
            } else {
                keep(json, before.path("call").path("body"), (ObjectNode) json.path("call").path("body"));
                ((ObjectNode) before.path("call")).set("body", json.path("call").path("body"));
                before.withArray("also").add(json.without(List.of("call", "provider", "resource_class")));
            }
        }
        merged.forEach(change -> adapt(change.json()));
        return merged;
    }

    /** Adapts the call of a change to the calls of the changes before it. */
    private void adapt(ObjectNode json) {
        if (json.path("call").path("body") instanceof ObjectNode body) {
            if (json.path("call").path("service").asText().equals("placement")) {
                placement(json.path("call").path("path").asText(), body);
            } else {
                noteSync(json, body);
            }
        }
    }

    private void placement(String path, ObjectNode body) {
        String provider = path.split("/")[2];
        int before = writes.merge(provider, 1, Integer::sum) - 1;
        for (String member : List.of("traits", "aggregates")) {
            if (body.path(member) instanceof ArrayNode items) {
                Set<String> now = texts(items);
                now.addAll(added.getOrDefault(provider + member, Set.of()));
                now.removeAll(removed.getOrDefault(provider + member, Set.of()));
                now.forEach(body.putArray(member)::add);
            }
        }
        if (body.has(GENERATION)) {
            JsonNode known = host.provider(provider);
            body.put(GENERATION,
                    (known == null ? body : known).path(known == null ? GENERATION : "generation").asInt() + before);
        }
    }

    /** Notes what the placement sync will write because of a change of a service or an aggregate. */
    private void noteSync(ObjectNode json, ObjectNode body) {
        String provider = host.target().provider().toString();
        switch (json.path("change").asText()) {
            case "enable_service", "release_service" -> {
                if (!body.path("disabled").asBoolean()) {
                    noteSync(provider, "traits", DISABLED, false);
                }
            }
            case "join_aggregate" -> noteSync(provider, "aggregates", json.path("aggregate").asText(), true);
            case "leave_aggregate" -> noteSync(provider, "aggregates", json.path("aggregate").asText(), false);
            default -> {
                // The placement sync writes nothing for such a change.
            }
        }
    }

    private void noteSync(String provider, String member, String item, boolean joins) {
        JsonNode known = host.provider(provider);
        boolean has = known != null && texts(known.path(member)).contains(item);
        if (known != null && has != joins) {
            (joins ? added : removed).computeIfAbsent(provider + member, key -> new HashSet<>()).add(item);
            writes.merge(provider, 1, Integer::sum);
        }
    }

    private static Set<String> texts(JsonNode items) {
        Set<String> texts = new TreeSet<>();
        items.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /** Adds to a body what the body of an earlier change of the same resource changes. */
    private static void keep(ObjectNode json, JsonNode before, ObjectNode body) {
        String change = json.path("change").asText();
        Map<String, JsonNode> kept = new LinkedHashMap<>();
        before.properties().forEach(member -> kept.put(member.getKey(), member.getValue()));
        kept.forEach((member, value) -> {
            if (value.isArray()) {
                Set<String> items = texts(value);
                String own = json.path(member.equals("traits") ? "trait" : "aggregate").asText();
                if (change.startsWith("add") || change.startsWith("join")) {
                    items.add(own);
                } else {
                    items.remove(own);
                }
                items.forEach(body.putArray(member)::add);
            } else if (!member.equals(change)) {
                body.set(member, value);
            }
        });
    }
}
