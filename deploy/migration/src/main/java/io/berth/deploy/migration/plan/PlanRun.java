package io.berth.deploy.migration.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.migration.http.ApiFailure;
import io.berth.deploy.migration.http.PlacementApi;
import io.berth.deploy.migration.http.Workers;
import io.berth.deploy.migration.state.Consumer;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import io.berth.deploy.migration.state.Provider;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends the writes of a plan, as many at once as there are workers. A step with failures is the last one, but for
 * allocations: their inventories are narrowed again in any case. Whatever stops half-way is repaired by the next run.
 */
public final class PlanRun {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** The last microversion that knows no consumer types. */
    private static final String WITHOUT_CONSUMER_TYPES = "1.37";

    private static final int ATTEMPTS_MAX = 12;
    private static final long PAUSE_MS = 50;

    private final Plan plan;
    private final PlacementState source;
    private final PlacementState target;
    private final PlacementApi api;
    private final Workers workers;

    /**
     * @param target as it was when the plan was made
     * @param api of the target
     */
    public PlanRun(Plan plan, PlacementState source, PlacementState target, PlacementApi api, Workers workers) {
        this.plan = plan;
        this.source = source;
        this.target = target;
        this.api = api;
        this.workers = workers;
    }

    /** A line per write that failed; empty when all went well. */
    public List<String> run() throws InterruptedException {
        List<String> failures = fleet();
        if (!failures.isEmpty()) {
            return failures;
        }
        failures = each("writing consumers", plan.consumers(), this::write);
        List<String> later = each("narrowing inventories", plan.finalInventories().keySet(),
                uuid -> inventories(uuid, plan.finalInventories().get(uuid)));
        if (!failures.isEmpty() || !later.isEmpty()) {
            return failures.isEmpty() ? later : failures;
        }
        return removals();
    }

    /** Last: before, allocations and children may still have been there. */
    private List<String> removals() throws InterruptedException {
        List<String> failures = List.of();
        for (List<UUID> level : plan.goneProviders()) {
            failures = then(failures, "removing providers", level,
                    uuid -> api.send("DELETE", path(uuid), null, 204, 404));
        }
        failures = then(failures, "removing resource classes", plan.goneResourceClasses(),
                name -> api.send("DELETE", "/resource_classes/" + name, null, 204, 404));
        return then(failures, "removing traits", plan.goneTraits(),
                name -> api.send("DELETE", "/traits/" + name, null, 204, 404));
    }

    private List<String> fleet() throws InterruptedException {
        // One by one: OpenStack's Placement answers 204 to one of two at once, and has only the other.
        List<String> failures = new Workers(1, workers.progress()).tryEach("adding resource classes",
                plan.newResourceClasses(), name -> api.send("PUT", "/resource_classes/" + name, null, 201, 204));
        failures = then(failures, "adding traits", plan.newTraits(),
                name -> api.send("PUT", "/traits/" + name, null, 201, 204));
        failures = then(failures, "removing consumers", plan.goneConsumers(), this::release);
        failures = then(failures, "detaching providers", plan.detached(),
                uuid -> place(uuid, target.providers().get(uuid).name(), null));
        Set<UUID> detached = Set.copyOf(plan.detached());
        // A uuid is nobody's name.
        failures = then(failures, "renaming providers", plan.renamedForAWhile(), uuid -> place(uuid, uuid.toString(),
                detached.contains(uuid) ? null : target.providers().get(uuid).parent()));
        for (List<UUID> level : plan.placed()) {
            failures = then(failures, "writing providers", level, this::createOrPlace);
        }
        failures = then(failures, "describing providers", plan.described(), this::describe);
        return then(failures, "writing inventories", plan.interimInventories().keySet(),
                uuid -> inventories(uuid, plan.interimInventories().get(uuid)));
    }

    private <T> List<String> then(List<String> failures, String what, Collection<T> items, Workers.Task<T> task)
            throws InterruptedException {
        return failures.isEmpty() ? each(what, items, task) : failures;
    }

    private <T> List<String> each(String what, Collection<T> items, Workers.Task<T> task) throws InterruptedException {
        return workers.tryEach(what, items, item -> untilAlone(task, item));
    }

    /**
     * Consumers that are written at once may meet on a provider: OpenStack's Placement refuses one of them, as it does
     * one whose generation has just been read and is old already.
     */
    private static <T> void untilAlone(Workers.Task<T> task, T item) throws ApiFailure, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                task.run(item);
                return;
            } catch (ApiFailure e) {
                if (!e.isConcurrentUpdate() || attempt == ATTEMPTS_MAX) {
                    throw e;
                }
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(attempt * PAUSE_MS));
        }
    }

    private void createOrPlace(UUID uuid) throws ApiFailure, InterruptedException {
        Provider wanted = source.providers().get(uuid);
        if (target.providers().containsKey(uuid)) {
            place(uuid, wanted.name(), wanted.parent());
        } else {
            ObjectNode body = named(wanted.name(), wanted.parent()).put("uuid", uuid.toString());
            api.send("POST", "/resource_providers", body, 200);
        }
    }

    private void place(UUID uuid, String name, UUID parent) throws ApiFailure, InterruptedException {
        api.send("PUT", path(uuid), named(name, parent), 200);
    }

    private static ObjectNode named(String name, UUID parent) {
        return JSON.objectNode().put("name", name)
                .put("parent_provider_uuid", parent == null ? null : parent.toString());
    }

    private void describe(UUID uuid) throws ApiFailure, InterruptedException {
        Provider wanted = source.providers().get(uuid);
        ObjectNode traits = atGenerationOf(uuid);
        wanted.traits().forEach(traits.putArray("traits")::add);
        long generation = api.send("PUT", path(uuid) + "/traits", traits, 200)
                .path("resource_provider_generation").asLong();
        ObjectNode aggregates = JSON.objectNode().put("resource_provider_generation", generation);
        var array = aggregates.putArray("aggregates");
        wanted.aggregates().forEach(aggregate -> array.add(aggregate.toString()));
        api.send("PUT", path(uuid) + "/aggregates", aggregates, 200);
    }

    private void inventories(UUID uuid, SortedMap<String, Inventory> wanted) throws ApiFailure, InterruptedException {
        ObjectNode body = atGenerationOf(uuid);
        ObjectNode all = body.putObject("inventories");
        wanted.forEach((name, inventory) -> inventory.render(all.putObject(name)));
        api.send("PUT", path(uuid) + "/inventories", body, 200);
    }

    private ObjectNode atGenerationOf(UUID uuid) throws ApiFailure, InterruptedException {
        return JSON.objectNode().put("resource_provider_generation", api.get(path(uuid)).path("generation").asLong());
    }

    private void write(UUID uuid) throws ApiFailure, InterruptedException {
        Consumer wanted = source.consumers().get(uuid);
        Consumer now = target.consumers().get(uuid);
        boolean isUntyped = wanted.type().equals(Consumer.UNTYPED);
        // A type, once said, cannot be unsaid.
        if (now != null && isUntyped && !now.type().equals(Consumer.UNTYPED)) {
            release(uuid);
            now = null;
        }
        ObjectNode body = JSON.objectNode().put("project_id", wanted.project()).put("user_id", wanted.user());
        if (now == null) {
            body.putNull("consumer_generation");
        } else {
            body.set("consumer_generation", api.get("/allocations/" + uuid).path("consumer_generation"));
        }
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
