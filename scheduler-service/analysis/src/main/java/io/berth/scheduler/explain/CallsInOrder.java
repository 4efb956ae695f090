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
 * Adapts the calls of a set of changes so that they can be made one after the other. A call that changes placement
 * writes a whole resource (all traits or aggregates of a provider, an inventory). A later call must therefore repeat
 * what earlier calls changed in the resource, and name the provider's generation after the earlier calls. Earlier calls
 * to the scheduler count, too, because the placement sync (the job that writes services and aggregates to placement)
 * changes providers for them. An object is for one set of changes.
 */
final class CallsInOrder {
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    private static final String GENERATION = "resource_provider_generation";

    private final Evaluation.Host host;
    /** The number of earlier writes to each provider, those of the placement sync included, by uuid. */
    private final Map<String, Integer> writes = new HashMap<>();
    /**
     * Traits and aggregates that the placement sync adds because of calls to the scheduler. The key is the provider's
     * uuid followed by {@code traits} or {@code aggregates}.
     */
    private final Map<String, Set<String>> addedBySync = new HashMap<>();
    /** Traits and aggregates that the placement sync removes, with the same keys as {@link #addedBySync}. */
    private final Map<String, Set<String>> removedBySync = new HashMap<>();

    CallsInOrder(Evaluation.Host host) {
        this.host = host;
    }

    /**
     * Returns the changes with adapted calls. Merges changes that write the same resource of placement into the first
     * of them, and lists the others in its member {@code also}.
     */
    List<Change> mergeAndAdapt(List<Change> changes) {
        Map<String, ObjectNode> firstByPlace = new LinkedHashMap<>();
        List<Change> merged = new ArrayList<>();
        for (Change change : changes) {
            ObjectNode json = change.json().deepCopy();
            ObjectNode earlier = firstByPlace.putIfAbsent(change.writtenResource(), json);
            if (earlier == null) {
                merged.add(new Change(change.key(), change.changesRequest(), json, change.effect()));
            } else {
                repeatEarlier(json, earlier.path("call").path("body"), (ObjectNode) json.path("call").path("body"));
                ((ObjectNode) earlier.path("call")).set("body", json.path("call").path("body"));
                earlier.withArray("also").add(json.without(List.of("call", "provider", "resource_class")));
            }
        }
        merged.forEach(change -> adapt(change.json()));
        return merged;
    }

    /** Adapts the call of a change to the calls of the earlier changes. */
    private void adapt(ObjectNode json) {
        if (json.path("call").path("body") instanceof ObjectNode body) {
            if (json.path("call").path("service").asText().equals("placement")) {
                adaptPlacementCall(json.path("call").path("path").asText(), body);
            } else {
                noteSync(json, body);
            }
        }
    }

    /**
     * Adapts the body of a call to placement: adds what the placement sync adds, removes what it removes, and sets the
     * generation to that after the earlier writes.
     */
    private void adaptPlacementCall(String path, ObjectNode body) {
        // The path begins with /resource_providers/{uuid}/.
        String provider = path.split("/")[2];
        int earlierWrites = writes.merge(provider, 1, Integer::sum) - 1;
        for (String member : List.of("traits", "aggregates")) {
            if (body.path(member) instanceof ArrayNode items) {
                Set<String> adapted = texts(items);
                adapted.addAll(addedBySync.getOrDefault(provider + member, Set.of()));
                adapted.removeAll(removedBySync.getOrDefault(provider + member, Set.of()));
                adapted.forEach(body.putArray(member)::add);
            }
        }
        if (body.has(GENERATION)) {
            JsonNode providerNow = host.provider(provider);
            int generation = providerNow == null
                    ? body.path(GENERATION).asInt()
                    : providerNow.path("generation").asInt();
            body.put(GENERATION, generation + earlierWrites);
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
                // The placement sync writes nothing for other changes.
            }
        }
    }

    /**
     * Notes that the placement sync will write a trait or an aggregate; ignores an item that does not change.
     *
     * @param member {@code traits} or {@code aggregates}
     * @param joins whether the item is added; otherwise it is removed
     */
    private void noteSync(String provider, String member, String item, boolean joins) {
        JsonNode providerNow = host.provider(provider);
        boolean isPresent = providerNow != null && texts(providerNow.path(member)).contains(item);
        if (providerNow != null && isPresent != joins) {
            (joins ? addedBySync : removedBySync).computeIfAbsent(provider + member, key -> new HashSet<>()).add(item);
            writes.merge(provider, 1, Integer::sum);
        }
    }

    private static Set<String> texts(JsonNode items) {
        Set<String> texts = new TreeSet<>();
        items.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    /**
     * Changes the body of a later change so that it contains an earlier change of the same resource, too. The kind of a
     * change of an inventory (the member {@code change}) is the name of the inventory's member that it sets; all other
     * members are those of the earlier body.
     *
     * @param json the later change
     * @param earlier the body of the earlier change's call
     * @param body the body of the later change's call
     */
    private static void repeatEarlier(ObjectNode json, JsonNode earlier, ObjectNode body) {
        String change = json.path("change").asText();
        Map<String, JsonNode> members = new LinkedHashMap<>();
        earlier.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        members.forEach((member, value) -> {
            if (value.isArray()) {
                Set<String> items = texts(value);
                String changedItem = json.path(member.equals("traits") ? "trait" : "aggregate").asText();
                if (change.startsWith("add") || change.startsWith("join")) {
                    items.add(changedItem);
                } else {
                    items.remove(changedItem);
                }
                items.forEach(body.putArray(member)::add);
            } else if (!member.equals(change)) {
                body.set(member, value);
            }
        });
    }
}
