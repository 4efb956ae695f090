package io.berth.deploy.migration.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.migration.http.ApiFailure;
import io.berth.deploy.migration.http.PlacementApi;
import io.berth.deploy.migration.http.Workers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads all of a service: four questions per provider and one per consumer, since the API lists no consumers. What
 * changes meanwhile may be seen in part; what disappears meanwhile is left out.
 */
public final class StateReader {
    private final PlacementApi api;
    private final Workers workers;

    public StateReader(PlacementApi api, Workers workers) {
        this.api = api;
        this.workers = workers;
    }

    public PlacementState read() throws ApiFailure, InterruptedException {
        SortedSet<String> classes = new TreeSet<>();
        for (JsonNode each : api.get("/resource_classes").path("resource_classes")) {
            classes.add(each.path("name").asText());
        }
        SortedSet<String> traits = names(api.get("/traits").path("traits"));
        Map<UUID, JsonNode> listed = new HashMap<>();
        for (JsonNode each : api.get("/resource_providers").path("resource_providers")) {
            listed.put(uuid(each.path("uuid").asText()), each);
        }
        Map<UUID, Provider> providers = new ConcurrentHashMap<>();
        Set<UUID> holders = ConcurrentHashMap.newKeySet();
        workers.each("reading providers of " + api.target(), listed.entrySet(), each -> {
            Provider provider = provider(each.getKey(), each.getValue(), holders);
            if (provider != null) {
                providers.put(each.getKey(), provider);
            }
        });
        Map<UUID, Consumer> consumers = new ConcurrentHashMap<>();
        workers.each("reading consumers of " + api.target(), holders, uuid -> {
            Consumer consumer = consumer(uuid);
            if (consumer != null) {
                consumers.put(uuid, consumer);
            }
        });
        return new PlacementState(classes, traits, Map.copyOf(providers), Map.copyOf(consumers));
    }

    /** Null when it is gone. */
    private Provider provider(UUID uuid, JsonNode listed, Set<UUID> holders) throws ApiFailure, InterruptedException {
        String path = "/resource_providers/" + uuid;
        JsonNode inventories = part(path + "/inventories");
        JsonNode traits = part(path + "/traits");
        JsonNode aggregates = part(path + "/aggregates");
        JsonNode allocations = part(path + "/allocations");
        if (inventories == null || traits == null || aggregates == null || allocations == null) {
            return null;
        }
        SortedMap<String, Inventory> byClass = new TreeMap<>();
        inventories.path("inventories").properties().forEach(each ->
                byClass.put(each.getKey().intern(), Inventory.parse(each.getValue())));
        for (Map.Entry<String, JsonNode> each : allocations.path("allocations").properties()) {
            holders.add(uuid(each.getKey()));
        }
        Set<UUID> groups = new HashSet<>();
        for (JsonNode each : aggregates.path("aggregates")) {
            groups.add(uuid(each.asText()));
        }
        JsonNode parent = listed.path("parent_provider_uuid");
        return new Provider(listed.path("name").asText(), parent.isTextual() ? uuid(parent.asText()) : null,
                byClass, names(traits.path("traits")), groups);
    }

    /** Null when it holds nothing any more. */
    private Consumer consumer(UUID uuid) throws ApiFailure, InterruptedException {
        JsonNode body = api.get("/allocations/" + uuid);
        Map<UUID, Map<String, Long>> amounts = new HashMap<>();
        for (Map.Entry<String, JsonNode> each : body.path("allocations").properties()) {
            Map<String, Long> byClass = new HashMap<>();
            each.getValue().path("resources").properties().forEach(amount ->
                    byClass.put(amount.getKey().intern(), amount.getValue().asLong()));
            amounts.put(uuid(each.getKey()), Map.copyOf(byClass));
        }
        return amounts.isEmpty() ? null : new Consumer(body.path("project_id").asText().intern(),
                body.path("user_id").asText().intern(), body.path("consumer_type").asText().intern(),
                Map.copyOf(amounts));
    }

    /** Null for 404. */
    private JsonNode part(String path) throws ApiFailure, InterruptedException {
        PlacementApi.Answer answer = api.ask(path);
        return answer.status() == 404 ? null : answer.status() == 200 ? answer.body() : api.get(path);
    }

    private static SortedSet<String> names(JsonNode array) {
        SortedSet<String> names = new TreeSet<>();
        for (JsonNode each : array) {
            names.add(each.asText().intern());
        }
        return names;
    }

    private UUID uuid(String text) throws ApiFailure {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new ApiFailure("%s tells of '%s', which is no uuid of the usual form".formatted(api.target(), text));
        }
    }
}
