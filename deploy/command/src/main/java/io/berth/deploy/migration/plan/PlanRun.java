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
 * Sends the writes of a plan to the target, those of one step in parallel. Stops after a step in which a write failed.
 * One exception: after failed allocations it still sets the final inventories, so that none stays boundless. After an
 * interruption, run the migration again: it plans from the target's state at that time.
 */
public final class PlanRun {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** The last microversion without consumer types. */
    private static final String WITHOUT_CONSUMER_TYPES = "1.37";

    private static final int ATTEMPTS_MAX = 12;
    private static final long PAUSE_MS = 50;
    /** Failed attempts without a usable response after which a write is given up; the pauses add up to some 15 s. */
    private static final int LOST_MAX = 6;

    private final Plan plan;
    private final PlacementState source;
    private final PlacementState target;
    private final RestClient api;
    private final Workers workers;
    /** The generations of the target's providers, from the responses to this run's writes. */
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

    /** Sends all writes; returns one line per write that failed, empty if all succeeded. */
    public List<String> run() throws InterruptedException {
        List<String> failures = fleet();
        if (!failures.isEmpty()) {
            return failures;
        }
        failures = each("writing consumers", plan.consumers(), this::write);
        // Each consumer changed the generations of its providers.
        generations.clear();
        List<String> later = each("narrowing inventories", plan.finalInventories().keySet(),
                (uuid, isRetry) -> inventories(uuid, plan.finalInventories().get(uuid), isRetry));
        if (!failures.isEmpty() || !later.isEmpty()) {
            return failures.isEmpty() ? later : failures;
        }
        return removals();
    }

    /**
     * Returns whether a write to the target is visible in {@code other}: creates a trait with a random name in the
     * target, looks for it in {@code other}, and removes it.
     */
    public boolean isSeenBy(StateSource other) throws ApiFailure, InterruptedException {
        String trait =
                "CUSTOM_BERTH_MIGRATION_" + UUID.randomUUID().toString().toUpperCase(Locale.ROOT).replace('-', '_');
        String path = "/traits/" + trait;
        try {
            untilDone((_, _) -> api.send("PUT", path, null, 201, 204), trait);
            return other.hasTrait(trait);
        } finally {
            untilDone((_, _) -> api.send("DELETE", path, null, 204, 404), trait);
        }
    }

    /** Runs after everything else, when no allocation or child refers to a removed provider, class or trait. */
    private List<String> removals() throws InterruptedException {
        List<String> failures = List.of();
        for (List<UUID> level : plan.goneProviders()) {
            failures = then(failures, "removing providers", level,
                    (uuid, _) -> api.send("DELETE", path(uuid), null, 204, 404));
        }
        failures = then(failures, "removing resource classes", plan.goneResourceClasses(),
                (name, _) -> api.send("DELETE", "/resource_classes/" + name, null, 204, 404));
        return then(failures, "removing traits", plan.goneTraits(),
                (name, _) -> api.send("DELETE", "/traits/" + name, null, 204, 404));
    }

    private List<String> fleet() throws InterruptedException {
        // One at a time: OpenStack's Placement may lose one of two concurrent writes and respond 204 to both.
        List<String> failures = new Workers(1, workers.progress()).tryEach("adding resource classes",
                plan.newResourceClasses(), name -> untilDone(
                        (_, _) -> api.send("PUT", "/resource_classes/" + name, null, 201, 204), name));
        failures = then(failures, "adding traits", plan.newTraits(),
                (name, _) -> api.send("PUT", "/traits/" + name, null, 201, 204));
        failures = then(failures, "removing consumers", plan.goneConsumers(), (uuid, _) -> release(uuid));
        failures = then(failures, "detaching providers", plan.detached(),
                (uuid, _) -> place(uuid, target.providers().get(uuid).name(), null));
        Set<UUID> detached = Set.copyOf(plan.detached());
        // The temporary name is the provider's uuid, which no other provider has as its name.
        failures = then(failures, "renaming providers", plan.renamedForAWhile(), (uuid, _) -> place(uuid,
                uuid.toString(), detached.contains(uuid) ? null : target.providers().get(uuid).parent()));
        for (List<UUID> level : plan.placed()) {
            failures = then(failures, "writing providers", level, this::createOrPlace);
        }
        failures = then(failures, "describing providers", plan.described(), this::describe);
        return then(failures, "writing inventories", plan.interimInventories().keySet(),
                (uuid, isRetry) -> inventories(uuid, plan.interimInventories().get(uuid), isRetry));
    }

    private <T> List<String> then(List<String> failures, String what, Collection<T> items, Write<T> task)
            throws InterruptedException {
        return failures.isEmpty() ? each(what, items, task) : failures;
    }

    private <T> List<String> each(String what, Collection<T> items, Write<T> task) throws InterruptedException {
        return workers.tryEach(what, items, item -> untilDone(task, item));
    }

    /**
     * Retries a write after a conflict or a temporary failure. A conflict means that another write changed the
     * provider's generation first: OpenStack's Placement refuses one of two consumers that are written on one provider
     * at once. A write without a response may have been done, so a write that is tried again reads the present state
     * first.
     */
    private static <T> void untilDone(Write<T> write, T item) throws ApiFailure, InterruptedException {
        int lost = 0;
        for (int attempt = 1;; attempt++) {
            try {
                write.run(item, attempt > 1);
                return;
            } catch (ApiFailure e) {
                lost += e.isPassing() ? 1 : 0;
                if (!e.isPassing() && !e.isConcurrentUpdate() || attempt == ATTEMPTS_MAX || lost == LOST_MAX) {
                    throw e;
                }
                if (e.isPassing()) {
                    RestClient.pause(lost);
                    continue;
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(attempt * PAUSE_MS));
        }
    }

    /** @see #untilDone */
    private interface Write<T> {
        /** @param isRetry whether the write was tried before, and may have been done */
        void run(T item, boolean isRetry) throws ApiFailure, InterruptedException;
    }

    private void createOrPlace(UUID uuid, boolean isRetry) throws ApiFailure, InterruptedException {
        Provider wanted = source.providers().get(uuid);
        if (target.providers().containsKey(uuid) || isRetry && api.ask(path(uuid)).status() == 200) {
            place(uuid, wanted.name(), wanted.parent());
        } else {
            ObjectNode body = named(wanted.name(), wanted.parent()).put("uuid", uuid.toString());
            generations.put(uuid, api.send("POST", "/resource_providers", body, 200).path("generation").asLong());
        }
    }

    private void place(UUID uuid, String name, UUID parent) throws ApiFailure, InterruptedException {
        api.send("PUT", path(uuid), named(name, parent), 200);
    }

    private static ObjectNode named(String name, UUID parent) {
        return JSON.objectNode().put("name", name)
                .put("parent_provider_uuid", parent == null ? null : parent.toString());
    }

    private void describe(UUID uuid, boolean isRetry) throws ApiFailure, InterruptedException {
        Provider wanted = source.providers().get(uuid);
        ObjectNode traits = JSON.objectNode();
        wanted.traits().forEach(traits.putArray("traits")::add);
        put(uuid, "/traits", traits, isRetry);
        ObjectNode aggregates = JSON.objectNode();
        var array = aggregates.putArray("aggregates");
        wanted.aggregates().forEach(array::add);
        put(uuid, "/aggregates", aggregates, false);
    }

    private void inventories(UUID uuid, SortedMap<String, Inventory> wanted, boolean isRetry)
            throws ApiFailure, InterruptedException {
        ObjectNode body = JSON.objectNode();
        ObjectNode all = body.putObject("inventories");
        wanted.forEach((name, inventory) -> inventory.render(all.putObject(name)));
        put(uuid, "/inventories", body, isRetry);
    }

    /**
     * Writes at the generation of the last response; at the present one, which is read, if there is none or on a retry.
     */
    private void put(UUID uuid, String part, ObjectNode body, boolean isRetry) throws ApiFailure, InterruptedException {
        Long known = isRetry ? null : generations.get(uuid);
        body.put("resource_provider_generation",
                known == null ? api.get(path(uuid)).path("generation").asLong() : known);
        generations.put(uuid,
                api.send("PUT", path(uuid) + part, body, 200).path("resource_provider_generation").asLong());
    }

    private void write(UUID uuid, boolean isRetry) throws ApiFailure, InterruptedException {
        Consumer wanted = source.consumers().get(uuid);
        Consumer now = target.consumers().get(uuid);
        boolean isUntyped = wanted.type().equals(Consumer.UNTYPED);
        // Placement cannot remove a consumer's type: the consumer is deleted and created again.
        if (now != null && isUntyped && !now.type().equals(Consumer.UNTYPED)) {
            release(uuid);
            now = null;
        }
        ObjectNode body = JSON.objectNode().put("project_id", wanted.project()).put("user_id", wanted.user());
        // The API requires the generation null for a consumer that does not exist.
        JsonNode generation = now == null && !isRetry ? NullNode.instance
                : api.get("/allocations/" + uuid).path("consumer_generation");
        body.set("consumer_generation", generation.isNumber() ? generation : NullNode.instance);
        ObjectNode allocations = body.putObject("allocations");
        for (Map.Entry<UUID, Map<String, Long>> each : wanted.amounts().entrySet()) {
            ObjectNode resources = allocations.putObject(each.getKey().toString()).putObject("resources");
            each.getValue().forEach(resources::put);
        }
        if (isUntyped) {
            api.sendAt(WITHOUT_CONSUMER_TYPES, "PUT", "/allocations/" + uuid, body, 204);
        } else {
            api.send("PUT", "/allocations/" + uuid, body.put("consumer_type", wanted.type()), 204);
        }
    }

    private void release(UUID consumer) throws ApiFailure, InterruptedException {
        api.send("DELETE", "/allocations/" + consumer, null, 204, 404);
    }

    private static String path(UUID provider) {
        return "/resource_providers/" + provider;
    }
}
