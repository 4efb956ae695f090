package io.berth.deploy.migration.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import io.berth.deploy.migration.state.StateSource;
import io.berth.model.Maps;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends the writes of a {@link Plan} to the target, the writes of one step in parallel (only resource classes are
 * created one at a time). Stops after a step in which a write failed, with one exception: after failed allocations, the
 * final inventories are still set, so that these do not stay {@link Inventory#BOUNDLESS}. A migration that failed or
 * was interrupted may be run again: it plans from the target's new state, and also sets inventories that stayed
 * boundless.
 */
public final class PlanRun {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** The last microversion without consumer types. */
    private static final String MICROVERSION_WITHOUT_TYPES = "1.37";

    /** Maximum number of attempts of one write, whatever the reason for each further attempt. */
    private static final int ATTEMPTS_MAX = 12;
    /**
     * The longest random pause after a conflict of the first attempt, in milliseconds. The longest pause after the n-th
     * attempt is n times this.
     */
    private static final long PAUSE_MS = 50;
    /**
     * Attempts with a temporary failure after which a write fails; the pauses between them add up to some 15 s, in
     * which a service can be restarted.
     */
    private static final int TEMPORARY_FAILURES_MAX = 6;

    private final Plan plan;
    private final PlacementState source;
    private final PlacementState target;
    private final RestClient api;
    private final Workers workers;
    /** The generations of providers of the target that this run knows from the responses to its writes. */
    private final Map<UUID, Long> generations = new ConcurrentHashMap<>();

    /**
     * @param target the target's state from which the plan was made
     * @param api the target's API
     */
    public PlanRun(Plan plan, PlacementState source, PlacementState target, RestClient api, Workers workers) {
        this.plan = plan;
        this.source = source;
        this.target = target;
        this.api = api;
        this.workers = workers;
    }

    /**
     * Sends the writes. Returns one line for each failed write of the first step in which one failed, and after failed
     * allocations also for each final inventory that failed; empty if all succeeded.
     */
    public List<String> run() throws InterruptedException {
        List<String> fleetFailures = writeFleet();
        if (!fleetFailures.isEmpty()) {
            return fleetFailures;
        }
        List<String> failures = new ArrayList<>(
                writeEach("writing consumers", plan.consumers(), this::putConsumer));
        // Each consumer changed the generations of its providers.
        generations.clear();
        failures.addAll(writeEach("narrowing inventories", plan.finalInventories().keySet(),
                (uuid, isRetry) -> putInventories(uuid, Maps.require(plan.finalInventories(), uuid), isRetry)));
        return failures.isEmpty() ? removeGone() : failures;
    }

    /**
     * Returns whether a write to the target is visible in {@code other}: creates a trait with a random name in the
     * target, looks for it in {@code other}, and removes it.
     */
    public boolean isVisibleIn(StateSource other) throws ApiFailure, InterruptedException {
        String trait =
                "CUSTOM_BERTH_MIGRATION_" + UUID.randomUUID().toString().toUpperCase(Locale.ROOT).replace('-', '_');
        String path = "/traits/" + trait;
        try {
            retry((_, _) -> api.send("PUT", path, null, 201, 204), trait);
            return other.hasTrait(trait);
        } finally {
            retry((_, _) -> api.send("DELETE", path, null, 204, 404), trait);
        }
    }

    /**
     * Removes the providers, resource classes and traits that only the target has. Called last, when no allocation or
     * inventory refers to them any more.
     */
    private List<String> removeGone() throws InterruptedException {
        List<String> failures = List.of();
        for (List<UUID> level : plan.goneProviders()) {
            failures = ifAllSucceeded(failures, "removing providers", level,
                    (uuid, _) -> api.send("DELETE", path(uuid), null, 204, 404));
        }
        failures = ifAllSucceeded(failures, "removing resource classes", plan.goneResourceClasses(),
                (name, _) -> api.send("DELETE", "/resource_classes/" + name, null, 204, 404));
        return ifAllSucceeded(failures, "removing traits", plan.goneTraits(),
                (name, _) -> api.send("DELETE", "/traits/" + name, null, 204, 404));
    }

    /** Sends all writes that precede the writing of consumers, among them the removal of consumers. */
    private List<String> writeFleet() throws InterruptedException {
        // One at a time: OpenStack's Placement may lose one of two concurrent writes and respond 204 to both.
        List<String> failures = new Workers(1, workers.progress()).tryEach("adding resource classes",
                plan.newResourceClasses(), name -> retry(
                        (_, _) -> api.send("PUT", "/resource_classes/" + name, null, 201, 204), name));
        failures = ifAllSucceeded(failures, "adding traits", plan.newTraits(),
                (name, _) -> api.send("PUT", "/traits/" + name, null, 201, 204));
        failures = ifAllSucceeded(failures, "removing consumers", plan.goneConsumers(), (uuid, _) -> release(uuid));
        failures = ifAllSucceeded(failures, "detaching providers", plan.detached(),
                (uuid, _) -> putNameAndParent(uuid, Maps.require(target.providers(), uuid).name(), null));
        Set<UUID> detached = Set.copyOf(plan.detached());
        // The temporary name is the provider's uuid, which no other provider has as its name.
        failures = ifAllSucceeded(failures, "renaming providers", plan.temporarilyRenamed(),
                (uuid, _) -> putNameAndParent(uuid, uuid.toString(),
                        detached.contains(uuid) ? null : Maps.require(target.providers(), uuid).parent()));
        for (List<UUID> level : plan.createdOrMoved()) {
            failures = ifAllSucceeded(failures, "writing providers", level, this::createOrUpdate);
        }
        failures = ifAllSucceeded(failures, "describing providers", plan.withNewTraitsOrAggregates(),
                this::putTraitsAndAggregates);
        return ifAllSucceeded(failures, "writing inventories", plan.interimInventories().keySet(),
                (uuid, isRetry) -> putInventories(uuid, Maps.require(plan.interimInventories(), uuid), isRetry));
    }

    private <T> List<String> ifAllSucceeded(List<String> failures, String label, Collection<T> items, Write<T> task)
            throws InterruptedException {
        return failures.isEmpty() ? writeEach(label, items, task) : failures;
    }

    private <T> List<String> writeEach(String label, Collection<T> items, Write<T> task) throws InterruptedException {
        return workers.tryEach(label, items, item -> retry(task, item));
    }

    /**
     * Sends a write, and again after a conflict or a temporary failure. A conflict means that another write changed the
     * provider's generation first: of two consumers that are written to one provider at the same time, OpenStack's
     * Placement refuses one. A write without a response may have had its effect, so a further attempt first reads the
     * present state if the write depends on it.
     */
    private static <T> void retry(Write<T> write, T item) throws ApiFailure, InterruptedException {
        int temporaryFailures = 0;
        for (int attempt = 1;; attempt++) {
            try {
                write.run(item, attempt > 1);
                return;
            } catch (ApiFailure e) {
                temporaryFailures += e.isTemporary() ? 1 : 0;
                if (!e.isTemporary() && !e.isConcurrentUpdate() || attempt == ATTEMPTS_MAX
                        || temporaryFailures == TEMPORARY_FAILURES_MAX) {
                    throw e;
                }
                if (e.isTemporary()) {
                    RestClient.pause(temporaryFailures);
                    continue;
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(attempt * PAUSE_MS));
        }
    }

    /** Sends the write of one item. {@link #retry} may call it several times. */
    private interface Write<T> {
        /** @param isRetry whether the write was sent before, and may have had its effect */
        void run(T item, boolean isRetry) throws ApiFailure, InterruptedException;
    }

    private void createOrUpdate(UUID uuid, boolean isRetry) throws ApiFailure, InterruptedException {
        Provider sourceProvider = Maps.require(source.providers(), uuid);
        if (target.providers().containsKey(uuid) || isRetry && api.getAnyStatus(path(uuid)).status() == 200) {
            putNameAndParent(uuid, sourceProvider.name(), sourceProvider.parent());
        } else {
            ObjectNode body =
                    nameAndParent(sourceProvider.name(), sourceProvider.parent()).put("uuid", uuid.toString());
            generations.put(uuid, api.send("POST", "/resource_providers", body, 200).path("generation").asLong());
        }
    }

    private void putNameAndParent(UUID uuid, String name, @Nullable UUID parent)
            throws ApiFailure, InterruptedException {
        api.send("PUT", path(uuid), nameAndParent(name, parent), 200);
    }

    private static ObjectNode nameAndParent(String name, @Nullable UUID parent) {
        return JSON.objectNode().put("name", name)
                .put("parent_provider_uuid", parent == null ? null : parent.toString());
    }

    private void putTraitsAndAggregates(UUID uuid, boolean isRetry) throws ApiFailure, InterruptedException {
        Provider sourceProvider = Maps.require(source.providers(), uuid);
        ObjectNode traits = JSON.objectNode();
        sourceProvider.traits().forEach(traits.putArray("traits")::add);
        put(uuid, "/traits", traits, isRetry);
        ObjectNode aggregates = JSON.objectNode();
        var array = aggregates.putArray("aggregates");
        sourceProvider.aggregates().forEach(array::add);
        // Not as a retry, because the response to the traits had the present generation.
        put(uuid, "/aggregates", aggregates, false);
    }

    private void putInventories(UUID uuid, SortedMap<String, Inventory> wanted, boolean isRetry)
            throws ApiFailure, InterruptedException {
        ObjectNode body = JSON.objectNode();
        ObjectNode inventories = body.putObject("inventories");
        wanted.forEach((name, inventory) -> inventory.render(inventories.putObject(name)));
        put(uuid, "/inventories", body, isRetry);
    }

    /**
     * Writes a part of a provider, with the generation in the last response to a write of this provider. If there is
     * none, and on a retry, reads the present generation first.
     *
     * @param part the path below the provider: {@code /traits}
     */
    private void put(UUID uuid, String part, ObjectNode body, boolean isRetry) throws ApiFailure, InterruptedException {
        Long generation = isRetry ? null : generations.get(uuid);
        body.put("resource_provider_generation",
                generation == null ? api.get(path(uuid)).path("generation").asLong() : generation);
        generations.put(uuid,
                api.send("PUT", path(uuid) + part, body, 200).path("resource_provider_generation").asLong());
    }

    private void putConsumer(UUID uuid, boolean isRetry) throws ApiFailure, InterruptedException {
        Consumer consumer = Maps.require(source.consumers(), uuid);
        Consumer present = target.consumers().get(uuid);
        boolean isUntyped = consumer.type().equals(Consumer.UNTYPED);
        // Placement cannot remove a consumer's type: the consumer is deleted and created again.
        if (present != null && isUntyped && !present.type().equals(Consumer.UNTYPED)) {
            release(uuid);
            present = null;
        }
        ObjectNode body = JSON.objectNode().put("project_id", consumer.project()).put("user_id", consumer.user());
        // The API requires the generation null for a consumer that does not exist.
        JsonNode generation = present == null && !isRetry ? NullNode.instance
                : api.get("/allocations/" + uuid).path("consumer_generation");
        body.set("consumer_generation", generation.isNumber() ? generation : NullNode.instance);
        ObjectNode allocations = body.putObject("allocations");
        for (Map.Entry<UUID, Map<String, Long>> each : consumer.amounts().entrySet()) {
            ObjectNode resources = allocations.putObject(each.getKey().toString()).putObject("resources");
            each.getValue().forEach(resources::put);
        }
        if (isUntyped) {
            api.sendAt(MICROVERSION_WITHOUT_TYPES, "PUT", "/allocations/" + uuid, body, 204);
        } else {
            api.send("PUT", "/allocations/" + uuid, body.put("consumer_type", consumer.type()), 204);
        }
    }

    private void release(UUID consumer) throws ApiFailure, InterruptedException {
        api.send("DELETE", "/allocations/" + consumer, null, 204, 404);
    }

    private static String path(UUID provider) {
        return "/resource_providers/" + provider;
    }
}
