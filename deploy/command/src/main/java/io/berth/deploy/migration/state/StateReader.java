package io.berth.deploy.migration.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Reads the whole state of a service over its API. Consumers are found in the allocations of providers, because the API
 * has no list of consumers. A full read takes three requests for lists, four for each provider and one for each
 * consumer. A provider or consumer whose present generation is in the journal is not read again, except for the
 * aggregates and allocations of a provider, which can change without a new generation of the provider. Changes during
 * the read may be seen in part. Providers and consumers that are deleted during the read are left out.
 */
public record StateReader(RestClient api, Workers workers, Journal journal) implements StateSource {
    @Override
    public PlacementState read() throws ApiFailure, InterruptedException {
        SortedSet<String> classes = new TreeSet<>();
        for (JsonNode each : api.get("/resource_classes").path("resource_classes")) {
            classes.add(each.path("name").asText());
        }
        SortedSet<String> traits = names(api.get("/traits").path("traits"));
        Map<UUID, JsonNode> listedProviders = new HashMap<>();
        for (JsonNode each : api.get("/resource_providers").path("resource_providers")) {
            listedProviders.put(uuid(each.path("uuid").asText()), each);
        }
        // A lower generation means that the provider was created again, or that the whole service was restored from a
        // backup. After a restore, any provider may have its cached generation with other content.
        if (listedProviders.entrySet().stream()
                .anyMatch(each -> journal.isAhead(each.getKey(), each.getValue().path("generation").asLong()))) {
            workers.progress()
                    .printLine(("generations of %s went back, as after a restore or where a provider was made again:"
                            + " all of it is read again").formatted(api.endpoint()));
            journal.forgetAll();
        }
        Map<UUID, Provider> providers = new ConcurrentHashMap<>();
        Map<UUID, ConsumerAllocations> allocationsByConsumer = new ConcurrentHashMap<>();
        workers.each("reading providers of " + api.endpoint(), listedProviders.entrySet(), each -> {
            Provider provider = readProvider(each.getKey(), each.getValue(), allocationsByConsumer);
            if (provider != null) {
                providers.put(each.getKey(), provider);
            }
        });
        Map<UUID, Consumer> consumers = new ConcurrentHashMap<>();
        List<UUID> notCached = new ArrayList<>();
        allocationsByConsumer.forEach((uuid, allocations) -> {
            Journal.ConsumerPart cached = journal.findConsumer(uuid);
            if (cached != null && allocations.hasGeneration(cached.generation())) {
                consumers.put(uuid,
                        new Consumer(cached.project(), cached.user(), cached.type(), allocations.amounts()));
            } else {
                notCached.add(uuid);
            }
        });
        workers.each("reading consumers of " + api.endpoint(), notCached, uuid -> {
            Consumer consumer = readConsumer(uuid);
            if (consumer != null) {
                consumers.put(uuid, consumer);
            }
        });
        journal.keepOnly(providers.keySet(), consumers.keySet());
        return new PlacementState(classes, traits, Map.copyOf(providers), Map.copyOf(consumers));
    }

    @Override
    public boolean hasTrait(String name) throws ApiFailure, InterruptedException {
        return !api.get("/traits?name=in:" + name).path("traits").isEmpty();
    }

    /** The allocations of one consumer, collected from the allocations of each provider. */
    private static final class ConsumerAllocations {
        private final Map<UUID, Map<String, Long>> amounts = new HashMap<>();
        private long generation;
        /**
         * True if two providers listed the consumer with different generations, because it changed between the reads.
         */
        private boolean isInconsistent;

        synchronized void add(UUID provider, Map<String, Long> byClass, long atGeneration) {
            isInconsistent |= !amounts.isEmpty() && generation != atGeneration;
            generation = atGeneration;
            amounts.put(provider, byClass);
        }

        /** Returns whether all providers listed the consumer with this generation. */
        synchronized boolean hasGeneration(long otherGeneration) {
            return !isInconsistent && generation == otherGeneration;
        }

        synchronized Map<UUID, Map<String, Long>> amounts() {
            return Map.copyOf(amounts);
        }
    }

    /**
     * Reads a provider, and adds its allocations to {@code allocationsByConsumer}.
     *
     * @param listed the provider's object in the list of all providers
     * @return null if the provider no longer exists
     */
    private @Nullable Provider readProvider(UUID uuid, JsonNode listed,
            Map<UUID, ConsumerAllocations> allocationsByConsumer)
            throws ApiFailure, InterruptedException {
        String path = "/resource_providers/" + uuid;
        Journal.ProviderPart providerPart = readInventoriesAndTraits(uuid, path, listed.path("generation").asLong());
        JsonNode aggregates = getIfExists(path + "/aggregates");
        JsonNode allocations = getIfExists(path + "/allocations");
        if (providerPart == null || aggregates == null || allocations == null) {
            return null;
        }
        for (Map.Entry<String, JsonNode> each : allocations.path("allocations").properties()) {
            allocationsByConsumer.computeIfAbsent(uuid(each.getKey()), _ -> new ConsumerAllocations()).add(uuid,
                    amounts(each.getValue()), each.getValue().path("consumer_generation").asLong());
        }
        Set<String> aggregateUuids = new HashSet<>();
        aggregates.path("aggregates").forEach(each -> aggregateUuids.add(each.asText()));
        JsonNode parent = listed.path("parent_provider_uuid");
        return new Provider(listed.path("name").asText(), parent.isTextual() ? uuid(parent.asText()) : null,
                providerPart.inventories(), providerPart.traits(), aggregateUuids);
    }

    /**
     * Returns the provider's inventories and traits, from the journal if possible; null if the provider no longer
     * exists.
     */
    private @Nullable Journal.ProviderPart readInventoriesAndTraits(UUID uuid, String path, long generation)
            throws ApiFailure, InterruptedException {
        Journal.ProviderPart cached = journal.findProvider(uuid);
        if (cached != null && cached.generation() == generation) {
            return cached;
        }
        JsonNode inventories = getIfExists(path + "/inventories");
        JsonNode traits = getIfExists(path + "/traits");
        if (inventories == null || traits == null) {
            return null;
        }
        SortedMap<String, Inventory> byClass = new TreeMap<>();
        inventories.path("inventories").properties().forEach(
                each -> byClass.put(each.getKey().intern(), Inventory.parse(each.getValue())));
        var read = new Journal.ProviderPart(generation, byClass, names(traits.path("traits")));
        // Both responses have the listed generation only if the provider did not change between the requests.
        if (inventories.path("resource_provider_generation").asLong() == generation
                && traits.path("resource_provider_generation").asLong() == generation) {
            journal.addProvider(uuid, read);
        }
        return read;
    }

    /** Reads a consumer; returns null if the consumer has no allocations any more. */
    private @Nullable Consumer readConsumer(UUID uuid) throws ApiFailure, InterruptedException {
        JsonNode body = api.get("/allocations/" + uuid);
        Map<UUID, Map<String, Long>> amounts = new HashMap<>();
        for (Map.Entry<String, JsonNode> each : body.path("allocations").properties()) {
            amounts.put(uuid(each.getKey()), amounts(each.getValue()));
        }
        if (amounts.isEmpty()) {
            return null;
        }
        var consumerPart = new Journal.ConsumerPart(body.path("consumer_generation").asLong(),
                body.path("project_id").asText().intern(),
                body.path("user_id").asText().intern(), body.path("consumer_type").asText().intern());
        journal.addConsumer(uuid, consumerPart);
        return new Consumer(consumerPart.project(), consumerPart.user(), consumerPart.type(), Map.copyOf(amounts));
    }

    private static Map<String, Long> amounts(JsonNode allocation) {
        Map<String, Long> byClass = new HashMap<>();
        allocation.path("resources").properties().forEach(
                amount -> byClass.put(amount.getKey().intern(), amount.getValue().asLong()));
        return Map.copyOf(byClass);
    }

    /**
     * Returns the body of a GET; null for status 404. After any other status than 200, sends the GET once more.
     *
     * @throws ApiFailure if the second response has another status than 200, or there is no response
     */
    private @Nullable JsonNode getIfExists(String path) throws ApiFailure, InterruptedException {
        RestClient.Response response = api.getAnyStatus(path);
        return response.status() == 404 ? null : response.status() == 200 ? response.body() : api.get(path);
    }

    @Override
    public String toString() {
        return api.endpoint().toString();
    }

    private static SortedSet<String> names(JsonNode array) {
        return array.valueStream().map(each -> each.asText().intern()).collect(Collectors.toCollection(TreeSet::new));
    }

    private UUID uuid(String text) throws ApiFailure {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new ApiFailure("%s has '%s', which is not a uuid of the usual form".formatted(api.endpoint(), text));
        }
    }
}
