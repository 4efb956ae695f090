package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Progress;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import jakarta.annotation.Nullable;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;

/**
 * Creates the {@link DemoHost}s in both services. Placement gets what nova-compute would write (providers, inventories
 * and traits) and one consumer per host. The scheduler's registry gets compute nodes, host aggregates (the zones, the
 * racks and the hosts without GPUs) and one disabled service; the scheduler's background job, the placement sync,
 * copies the aggregates and the disabled state to placement. The scheduler also gets capacity watches for two flavors,
 * of which it regularly counts how many more instances fit. All hosts have the trait {@link #TRAIT}, which the demo's
 * flavors require, so that the demo uses no other host of the deployment.
 */
record DemoFleet(RestClient placement, RestClient scheduler) {
    static final String TRAIT = "CUSTOM_BERTH_DEMO";
    /** The aggregate of all hosts without GPUs. */
    static final UUID GENERAL_AGGREGATE = DemoHost.uuidOf("aggregate/general");
    /** The host whose service is disabled, with a reason. */
    static final DemoHost DISABLED = DemoHost.of(2, 1, 8);
    /**
     * Hosts that readers of the guides in {@code docs/how-to} add to the demo's fleet. {@code HowToRecordsTest}
     * compares these uuids with those in the guides.
     */
    private static final List<UUID> HOSTS_OF_HOW_TOS = List.of(
            UUID.fromString("77777777-7777-4777-8777-777777777777"),
            UUID.fromString("99999999-9999-4999-8999-999999999999"));
    /** The compute service that readers of these guides add. */
    private static final UUID SERVICE_OF_HOW_TOS = UUID.fromString("55555555-5555-4555-8555-555555555555");

    /** Concurrent requests while the fleet is created: enough to keep two processors busy. */
    private static final int WORKERS = 4;
    private static final int OK = 200;
    private static final int[] WRITE_STATUSES = {200, 201, 202};
    private static final int POLLS_MAX = 600;
    private static final long POLL_INTERVAL_MS = 100;

    /**
     * Creates the fleet, or restores it after an earlier tour. First deletes all instances with allocations on the
     * demo's hosts or on the hosts of the how-to guides, and the records that these guides add. Finally waits until
     * placement knows that the service of {@link #DISABLED} is disabled.
     */
    void load() throws ApiFailure, InterruptedException {
        removeInstancesAndRecords();
        for (String trait : List.of(TRAIT, "CUSTOM_GPU_L40S", "CUSTOM_GPU_A16")) {
            placement.send("PUT", "/traits/" + trait, null, 201, 204);
        }
        Map<UUID, JsonNode> generations = generations();
        workers().each("hosts", DemoHost.ALL, host -> createHost(host, generations));
        registerInScheduler();
        createLoad();
        awaitPlacementSync(DISABLED.name());
    }

    /** Returns workers for the requests of the demo, without progress lines. */
    static Workers workers() {
        return new Workers(WORKERS, new Progress(new PrintWriter(Writer.nullWriter())));
    }

    /** Returns the generation of each provider that exists, by its uuid. */
    private Map<UUID, JsonNode> generations() throws ApiFailure, InterruptedException {
        Map<UUID, JsonNode> generations = new HashMap<>();
        placement.get("/resource_providers").path("resource_providers").forEach(provider -> generations.put(
                UUID.fromString(provider.path("uuid").asText()), provider.path("generation")));
        return generations;
    }

    /**
     * Creates the host in both services, with its GPUs, or restores it.
     *
     * @param generations those of the providers that exist
     */
    private void createHost(DemoHost host, Map<UUID, JsonNode> generations)
            throws ApiFailure, InterruptedException {
        createProvider(host.name(), null, host.inventories(), TRAIT, generations);
        for (String gpu : host.gpuNames()) {
            ObjectNode inventories = RestClient.emptyObject();
            inventories.putObject("VGPU").put("total", DemoHost.VGPUS_PER_GPU);
            createProvider(gpu, host.uuid(), inventories, host.gpuTrait(), generations);
        }
        var node = RestClient.emptyObject().put("host", host.name()).put("hypervisor_type", "QEMU");
        node.putArray("supported_instances").addArray().add("x86_64").add("kvm").add("hvm");
        scheduler.send("PUT", "/v1/compute_nodes/" + host.uuid(), node, WRITE_STATUSES);
    }

    private void registerInScheduler() throws ApiFailure, InterruptedException {
        for (int zone = 1; zone <= DemoHost.ZONES; zone++) {
            int thisZone = zone;
            putAggregate("az-" + zone, "availability_zone", host -> host.zone() == thisZone);
            for (int rack = 1; rack <= DemoHost.RACKS; rack++) {
                int thisRack = rack;
                putAggregate("az%d-r%d".formatted(zone, rack), "rack",
                        host -> host.zone() == thisZone && host.rack() == thisRack);
            }
        }
        putAggregate("general", "purpose", host -> !host.hasGpus());
        var service = RestClient.emptyObject()
                .put("host", DISABLED.name())
                .put("disabled", true)
                .put("disabled_reason", "a fan is being replaced");
        scheduler.send("PUT", "/v1/services/" + DemoHost.uuidOf("service/" + DISABLED.name()), service, WRITE_STATUSES);
        for (Workload workload : List.of(Workload.WEB, Workload.TRAIN)) {
            ObjectNode watch = RestClient.emptyObject();
            watch.set("request_spec", workload.request(1).get("request_spec"));
            scheduler.send("PUT", "/v1/capacity/watches/" + workload.flavor(), watch, WRITE_STATUSES);
        }
    }

    private void putAggregate(String name, String key, Predicate<DemoHost> isMember)
            throws ApiFailure, InterruptedException {
        ObjectNode body = RestClient.emptyObject().put("name", name);
        DemoHost.ALL.stream().filter(isMember).forEach(host -> body.withArray("hosts").add(host.name()));
        body.putObject("metadata").put(key, name);
        scheduler.send("PUT", "/v1/host_aggregates/" + DemoHost.uuidOf("aggregate/" + name), body, WRITE_STATUSES);
    }

    /** Creates one consumer on each host, with the allocations {@link DemoHost#initialLoad}. */
    private void createLoad() throws ApiFailure, InterruptedException {
        ObjectNode body = RestClient.emptyObject();
        for (DemoHost host : DemoHost.ALL) {
            ObjectNode consumer = body.putObject(DemoHost.uuidOf("load/" + host.name()).toString());
            ObjectNode resources = consumer.putObject("allocations")
                    .putObject(host.uuid().toString()).putObject("resources");
            host.initialLoad().forEach(resources::put);
            consumer.put("project_id", "demo").put("user_id", "demo").put("consumer_type", "INSTANCE");
            consumer.putNull("consumer_generation");
        }
        placement.send("POST", "/allocations", body, 204);
    }

    /**
     * Waits until the placement sync has written the registered state of the host to placement, where a disabled
     * service is the trait COMPUTE_STATUS_DISABLED. Polls ten times a second, for at most about a minute.
     *
     * @throws ApiFailure if the sync is not done by then
     */
    private void awaitPlacementSync(String host) throws ApiFailure, InterruptedException {
        for (int i = 0; scheduler.get("/v1/placement_sync?host=" + host).path("pending").asInt() > 0; i++) {
            if (i == POLLS_MAX) {
                throw new ApiFailure(
                        "the scheduler did not write the fleet to placement within a minute: see /v1/placement_sync");
            }
            Thread.sleep(POLL_INTERVAL_MS);
        }
    }

    private void removeInstancesAndRecords() throws ApiFailure, InterruptedException {
        Set<UUID> providers = new TreeSet<>(HOSTS_OF_HOW_TOS);
        DemoHost.ALL.forEach(host -> providers.addAll(host.providerUuids()));
        providers.retainAll(generations().keySet());
        Set<String> consumers = new ConcurrentSkipListSet<>();
        workers().each("providers", providers, provider -> placement.getAnyStatus(path(provider) + "/allocations")
                .body().path("allocations").fieldNames().forEachRemaining(consumers::add));
        workers().each("instances", consumers, this::deleteInstance);
        removeRecordsOfHowTos();
    }

    private void removeRecordsOfHowTos() throws ApiFailure, InterruptedException {
        JsonNode service = scheduler.getAnyStatus("/v1/services/" + SERVICE_OF_HOW_TOS).body();
        if (service.path("host").isTextual()) {
            scheduler.send("DELETE", "/v1/services/" + SERVICE_OF_HOW_TOS, null, 204, 404);
            awaitPlacementSync(service.path("host").asText());
        }
        for (UUID host : HOSTS_OF_HOW_TOS) {
            scheduler.send("DELETE", "/v1/compute_nodes/" + host, null, 204, 404);
            placement.send("DELETE", path(host), null, 204, 404);
        }
    }

    /**
     * Deletes the instance in the scheduler and its allocations in placement. Retries for about a minute while the
     * scheduler responds with 409, because another request for the instance is in progress.
     */
    private void deleteInstance(String consumer) throws ApiFailure, InterruptedException {
        for (int i = 0; scheduler.call("DELETE", "/v1/instances/" + consumer, null, 204, 404, 409)
                .status() == 409; i++) {
            if (i == POLLS_MAX) {
                throw new ApiFailure("instance " + consumer + " cannot be deleted: a request is under way");
            }
            Thread.sleep(POLL_INTERVAL_MS);
        }
        placement.send("DELETE", "/allocations/" + consumer, null, 204, 404);
    }

    /**
     * Creates the provider if it does not exist, and sets its inventories and its only trait.
     *
     * @param generations those of the providers that exist
     */
    private void createProvider(String name, @Nullable UUID parent, ObjectNode inventories, String trait,
            Map<UUID, JsonNode> generations)
            throws ApiFailure, InterruptedException {
        UUID uuid = DemoHost.uuidOf(name);
        JsonNode generation = generations.get(uuid);
        if (generation == null) {
            var provider = RestClient.emptyObject().put("name", name).put("uuid", uuid.toString());
            if (parent != null) {
                provider.put("parent_provider_uuid", parent.toString());
            }
            generation = placement.send("POST", "/resource_providers", provider, OK).path("generation");
        }
        ObjectNode inventoriesBody = RestClient.emptyObject();
        inventoriesBody.set("inventories", inventories);
        inventoriesBody.set("resource_provider_generation", generation);
        JsonNode written = placement.send("PUT", path(uuid) + "/inventories", inventoriesBody, OK);
        ObjectNode traitsBody = RestClient.emptyObject();
        traitsBody.putArray("traits").add(trait);
        traitsBody.set("resource_provider_generation", written.path("resource_provider_generation"));
        placement.send("PUT", path(uuid) + "/traits", traitsBody, OK);
    }

    private static String path(UUID provider) {
        return "/resource_providers/" + provider;
    }

    /**
     * Capacity and use of one resource class on one host, in units of the class.
     *
     * @param capacity (total - reserved) x allocation ratio
     */
    record Room(long capacity, long used) {
        long free() {
            return capacity - used;
        }
    }

    /**
     * Returns the capacity and use of VCPU on each host, in the order of {@link DemoHost#ALL}, with one request: for
     * allocation candidates. A host without a free VCPU is no candidate, so its capacity and use are returned as 0.
     */
    List<Room> vcpuRooms() throws ApiFailure, InterruptedException {
        JsonNode summaries = placement.get("/allocation_candidates?resources=VCPU:1&required=" + TRAIT)
                .path("provider_summaries");
        List<Room> rooms = new ArrayList<>();
        for (DemoHost host : DemoHost.ALL) {
            JsonNode vcpu = summaries.path(host.uuid().toString()).path("resources").path("VCPU");
            rooms.add(new Room(vcpu.path("capacity").asLong(), vcpu.path("used").asLong()));
        }
        return rooms;
    }

    /** Returns placement's inventory of the class, with the provider's generation, which a write must name. */
    JsonNode inventory(UUID provider, String resourceClass)
            throws ApiFailure, InterruptedException {
        return placement.get(path(provider) + "/inventories/" + resourceClass);
    }

    /** Sets the allocation ratio of one resource class on one provider. */
    void setRatio(UUID provider, String resourceClass, double ratio)
            throws ApiFailure, InterruptedException {
        var inventory = (ObjectNode) inventory(provider, resourceClass);
        inventory.put("allocation_ratio", ratio);
        placement.send("PUT", path(provider) + "/inventories/" + resourceClass, inventory, OK);
    }
}
