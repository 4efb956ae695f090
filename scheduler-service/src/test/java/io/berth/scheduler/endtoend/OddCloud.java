package io.berth.scheduler.endtoend;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * A few random hosts, and a request for one instance, of kinds that real clouds have and {@code api.RandomCloud} lacks:
 * trees whose root has no inventory, disk that is shared in one of several aggregates, NUMA cells and PCI devices
 * beside VCPU and PCPU as nova-compute reports them, hosts that are disabled or forced down, groups with a limit.
 *
 * <p>It finds the true results by experiment: it places an instance where only one host is left, and it makes changes
 * through the APIs and undoes them.
 */
final class OddCloud implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> OF_SERVICE = List.of("host", "disabled", "disabled_reason", "forced_down");
    private static final List<String> OF_AGGREGATE = List.of("id", "name", "metadata", "hosts");

    record Host(String name, String uuid, String service) {}

    private enum Shape { FLAT, BARE_ROOTS, POOLS, CELLS, DEVICES }

    final List<Host> hosts = new ArrayList<>();
    final ObjectNode request = JSON.createObjectNode();
    private final Region region;
    private final Random random;
    private final String name;
    private final String trait;
    private final Shape shape;
    private final List<String> pools = new ArrayList<>();
    private final List<String> zones = new ArrayList<>();
    private final List<String> aggregates = new ArrayList<>();
    private final List<String> instances = new ArrayList<>();
    private final List<String> providers = new ArrayList<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private String lastResponse = "";

    OddCloud(Region region, long seed) {
        this.region = region;
        random = new Random(seed);
        name = "odd" + seed;
        trait = "CUSTOM_ODD_" + seed;
        shape = Shape.values()[random.nextInt(Shape.values().length)];
        for (String each : List.of(trait, "CUSTOM_GOLD", "CUSTOM_SLOW")) {
            region.placement().put("/traits/" + each).then().statusCode(org.hamcrest.Matchers.lessThan(300));
        }
        for (int i = shape == Shape.POOLS ? 2 : 0; i > 0; i--) {
            String pool = uuid();
            provider(pool, name + "-pool" + i, null, Map.of("DISK_GB", inventory(4 + random.nextInt(20))),
                    List.of("MISC_SHARES_VIA_AGGREGATE"));
            join(pool, List.of(pool));
            pools.add(pool);
        }
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            host(name + "-h" + i);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            aggregate(i);
        }
        buildRequest();
        for (int i = random.nextInt(5); i > 0; i--) {
            placeOne();
        }
        settle();
    }

    private static String uuid() {
        return UUID.randomUUID().toString();
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    // Placement

    private Map<String, Object> inventory(int total) {
        Map<String, Object> inventory = new HashMap<>(Map.of("total", total));
        if (oneIn(4)) {
            inventory.put("allocation_ratio", any(List.of(1.5, 2.0, 0.75)));
        }
        if (oneIn(4)) {
            inventory.put("reserved", random.nextInt(total));
        }
        switch (random.nextInt(10)) {
            case 0 -> inventory.put("max_unit", 1 + random.nextInt(total));
            case 1 -> inventory.put("min_unit", 2);
            case 2 -> inventory.put("step_size", 2 + random.nextInt(2));
            default -> {
                // The inventory keeps its defaults.
            }
        }
        return inventory;
    }

    private Map<String, Object> memory() {
        Map<String, Object> inventory = inventory(1024 * (1 + random.nextInt(4)));
        inventory.computeIfPresent("step_size", (member, value) -> 512);
        inventory.computeIfPresent("max_unit", (member, value) -> 1024);
        return inventory;
    }

    private void provider(
            String uuid, String providerName, String parent, Map<String, ?> inventories, List<String> traits) {
        Map<String, Object> body = new HashMap<>(Map.of("name", providerName, "uuid", uuid));
        if (parent != null) {
            body.put("parent_provider_uuid", parent);
        }
        region.placement().body(body).post("/resource_providers").then().statusCode(200);
        region.placement().body(Map.of("resource_provider_generation", 0, "inventories", inventories))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        region.placement().body(Map.of("resource_provider_generation", generation(uuid), "traits", traits))
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
        providers.add(uuid);
    }

    private int generation(String provider) {
        return region.placement().get("/resource_providers/" + provider).path("generation");
    }

    private void join(String provider, List<String> joined) {
        region.placement().body(Map.of("resource_provider_generation", generation(provider), "aggregates", joined))
                .put("/resource_providers/" + provider + "/aggregates").then().statusCode(200);
    }

    private void host(String providerName) {
        Host host = new Host(providerName, uuid(), uuid());
        boolean bare = shape == Shape.BARE_ROOTS && !oneIn(3);
        Map<String, Object> inventories = new LinkedHashMap<>();
        if (!bare) {
            inventories.put("VCPU", inventory(2 + random.nextInt(6)));
            inventories.put("MEMORY_MB", memory());
            if (shape == Shape.CELLS && !oneIn(3)) {
                inventories.put("PCPU", Map.of("total", 4));
            }
        }
        if (!bare && (shape != Shape.POOLS || oneIn(4)) || oneIn(3)) {
            inventories.put("DISK_GB", inventory(2 + random.nextInt(10)));
        }
        provider(host.uuid(), providerName, null, inventories, traits(trait));
        for (int i = bare ? 1 + random.nextInt(2) : 0; i > 0; i--) {
            provider(uuid(), providerName + "-cell" + i, host.uuid(),
                    Map.of("VCPU", inventory(2 + random.nextInt(4)), "MEMORY_MB", memory()), traits(trait));
        }
        List<String> joined = pools.stream().filter(pool -> random.nextBoolean()).toList();
        if (!joined.isEmpty()) {
            join(host.uuid(), joined);
        }
        region.scheduler(0)
                .body(Map.of("host", providerName, "disabled", oneIn(6), "forced_down", oneIn(8)))
                .put("/v1/services/" + host.service()).then().statusCode(201);
        region.scheduler(0).body("{\"host\": \"" + providerName + "\"" + reported() + "}")
                .put("/v1/compute_nodes/" + host.uuid()).then().statusCode(201);
        hosts.add(host);
    }

    private List<String> traits(String own) {
        List<String> traits = new ArrayList<>(List.of(own));
        if (oneIn(2)) {
            traits.add("CUSTOM_GOLD");
        }
        if (oneIn(4)) {
            traits.add("CUSTOM_SLOW");
        }
        return traits;
    }

    private String reported() {
        return switch (shape) {
            case CELLS -> """
                    , "numa_topology": {"cells": [
                        {"id": 0, "cpuset": [4, 5], "pcpuset": [0, 1], "memory": %1$d, "siblings": [[0, 1], [4], [5]],
                         "mempages": [{"size_kb": 4, "total": 524288}, {"size_kb": 2048, "total": %2$d}]},
                        {"id": 1, "cpuset": [6], "pcpuset": [2, 3], "memory": %1$d, "siblings": [[2], [3], [6]],
                         "mempages": [{"size_kb": 4, "total": 524288}, {"size_kb": 2048, "total": %2$d}]}]}"""
                    .formatted(512 * (1 + random.nextInt(4)), 128 * random.nextInt(6));
            case DEVICES -> """
                    , "pci_stats": {"pools": [{"vendor_id": "10de", "product_id": "10d8", "numa_node": %d, "count": %d,
                        "dev_type": "type-PCI"}]}""".formatted(random.nextInt(2), random.nextInt(3));
            case FLAT, BARE_ROOTS, POOLS -> "";
        };
    }

    // Registry

    private void aggregate(int number) {
        Map<String, String> metadata = new HashMap<>();
        switch (random.nextInt(4)) {
            case 0 -> {
                // All such aggregates name the same zone, so that no host is in two zones.
                String zone = name + "-zone";
                zones.add(zone);
                metadata.put("availability_zone", zone);
            }
            case 1 -> metadata.put("filter_tenant_id", "other");
            case 2 -> metadata.put("max_instances_per_host", "" + (1 + random.nextInt(3)));
            default -> metadata.put("ssd", random.nextBoolean() ? "true" : "false");
        }
        String uuid = uuid();
        region.scheduler(0)
                .body(Map.of("name", name + "-agg" + number, "metadata", metadata,
                        "hosts", hosts.stream().map(Host::name).filter(each -> random.nextBoolean()).toList()))
                .put("/v1/host_aggregates/" + uuid).then().statusCode(org.hamcrest.Matchers.lessThan(300));
        aggregates.add(uuid);
    }

    private void buildRequest() {
        request.put("project_id", name).put("user_id", "u");
        ObjectNode flavor = request.putObject("flavor");
        flavor.put("id", 1).put("name", "f").put("vcpus", 1 + random.nextInt(4));
        flavor.put("memory_mb", 256 * (1 + random.nextInt(5))).put("root_gb", random.nextInt(5));
        ObjectNode specs = flavor.putObject("extra_specs");
        specs.put("trait:" + trait, "required");
        if (oneIn(3)) {
            specs.put("trait:CUSTOM_GOLD", "required");
        }
        if (oneIn(3)) {
            specs.put("trait:CUSTOM_SLOW", "forbidden");
        }
        if (oneIn(6)) {
            specs.put("aggregate_instance_extra_specs:ssd", "true");
        }
        if (shape == Shape.CELLS && !oneIn(3) || oneIn(8)) {
            specs.put("hw:cpu_policy", "dedicated");
        }
        if (shape == Shape.CELLS) {
            if (oneIn(3)) {
                specs.put("hw:mem_page_size", "2048");
            }
            if (oneIn(4) && flavor.path("vcpus").asInt() % 2 == 0) {
                specs.put("hw:numa_nodes", "2");
            }
        }
        if (shape == Shape.DEVICES) {
            specs.put("pci_passthrough:alias", "gpu:" + (1 + random.nextInt(2)));
        }
        if (!zones.isEmpty() && oneIn(2)) {
            request.put("availability_zone", zones.getFirst());
        }
        if (oneIn(5)) {
            request.putArray("ignore_hosts").add(any(hosts).name());
        }
        if (oneIn(6) && pools.isEmpty()) {
            request.putObject("requested_destination").put("host", any(hosts).name());
        }
        if (oneIn(3) && shape != Shape.CELLS && shape != Shape.DEVICES) {
            request.putObject("scheduler_hints").put("group", group());
        }
    }

    private String group() {
        String group = uuid();
        Map<String, Object> body = new HashMap<>();
        body.put("policy", any(List.of("affinity", "anti-affinity", "anti-affinity", "soft-affinity")));
        if (body.get("policy").equals("anti-affinity") && oneIn(2)) {
            body.put("rules", Map.of("max_server_per_host", 2));
        }
        region.scheduler(0).body(body).put("/v1/server_groups/" + group).then().statusCode(201);
        return group;
    }

    /** Tries to place one more instance, of the request's flavor or a smaller one, on any host. */
    private void placeOne() {
        ObjectNode requestSpec = request.deepCopy();
        if (oneIn(2)) {
            ObjectNode flavor = (ObjectNode) requestSpec.path("flavor");
            flavor.put("name", "small").put("vcpus", 1).put("memory_mb", 256).put("root_gb", random.nextInt(2));
            flavor.putObject("extra_specs").put("trait:" + trait, "required");
        }
        requestSpec.remove(List.of("ignore_hosts", "requested_destination", "availability_zone"));
        place(requestSpec, 1);
    }

    // Experiments

    /** The uuids of the instances, which stay; none if the request is refused. */
    List<String> place(ObjectNode requestSpec, int count) {
        List<String> uuids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            uuids.add(uuid());
        }
        Response answer = select(requestSpec, uuids);
        if (answer.statusCode() != 200) {
            return List.of();
        }
        instances.addAll(uuids);
        return uuids;
    }

    private Response select(ObjectNode requestSpec, List<String> uuids) {
        ObjectNode body = JSON.createObjectNode();
        body.set("request_spec", requestSpec);
        uuids.forEach(body.putArray("instance_uuids")::add);
        Response answer = region.scheduler(0).body(body.toString()).post("/v1/select_destinations");
        assertThat(answer.statusCode()).as(body + " " + answer.asString()).isIn(200, 409);
        lastResponse = answer.asString();
        return answer;
    }

    /** The last response to a selection. */
    String answer() {
        return lastResponse;
    }

    /** The response to the request, which must find no host. */
    Response refusal() {
        Response answer = select(request, List.of(uuid()));
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(409);
        return answer;
    }

    /** Returns true if an instance can be placed on the host, and deletes the instance again. */
    boolean admits(ObjectNode requestSpec, Host host) {
        ObjectNode alone = requestSpec.deepCopy();
        ArrayNode ignored = alone.withArray("ignore_hosts");
        hosts.stream().filter(each -> !each.equals(host)).forEach(each -> ignored.add(each.name()));
        List<String> placed = place(alone, 1);
        placed.forEach(this::release);
        return !placed.isEmpty();
    }

    /** Repeats the deletion while the record of the selection is still open. */
    void release(String instance) {
        eventually(instance + " is gone",
                () -> region.scheduler(0).delete("/v1/instances/" + instance).statusCode() != 409);
        instances.remove(instance);
    }

    boolean isReportedByHosts() {
        return shape == Shape.CELLS || shape == Shape.DEVICES;
    }

    /** Waits until placement matches the registry. */
    void settle() {
        eventually(name + " is synced",
                () -> Integer.valueOf(0).equals(region.scheduler(0).get("/v1/placement_sync").path("pending")));
    }

    // Changes, made as an explanation proposes them

    /**
     * Makes the changes and returns the changed request.
     *
     * @param asTold true if nothing was written since the explanation; otherwise the generations are read again
     */
    ObjectNode make(List<JsonNode> changes, boolean asTold) {
        ObjectNode requestSpec = request.deepCopy();
        for (JsonNode change : changes) {
            JsonNode call = change.path("call");
            assertThat(call.isObject()).as(change.toString()).isTrue();
            if (call.has("patch")) {
                call.path("patch").forEach(step -> patch(requestSpec, step));
            } else {
                make(call, asTold);
            }
        }
        settle();
        return requestSpec;
    }

    private void make(JsonNode call, boolean asTold) {
        String path = call.path("path").asText();
        boolean ofPlacement = call.path("service").asText().equals("placement");
        boolean moves = path.equals("/v1/moves");
        if (call.path("method").asText().equals("PUT")) {
            undo.push(restoring(ofPlacement, path));
        }
        // Earlier changes of a service or an aggregate must be in placement first.
        settle();
        RequestSpecification to = to(ofPlacement);
        if (call.has("body")) {
            ObjectNode body = call.path("body").deepCopy();
            if (ofPlacement && !asTold) {
                body.put("resource_provider_generation", generation(path.split("/")[2]));
            }
            to.body(body.toString());
        }
        Response answer = to.request(call.path("method").asText(), path);
        assertThat(answer.statusCode()).as(call + " " + answer.asString()).isLessThan(300);
        if (moves) {
            region.placement().delete("/allocations/" + call.path("body").path("migration_uuid").asText()).then()
                    .statusCode(204);
        }
    }

    private RequestSpecification to(boolean placement) {
        return placement ? region.placement() : region.scheduler(0);
    }

    /** Returns the call that restores the present state. */
    private Runnable restoring(boolean ofPlacement, String path) {
        ObjectNode held = read(to(ofPlacement).get(path));
        if (!ofPlacement) {
            held.retain(path.startsWith("/v1/services") ? OF_SERVICE : OF_AGGREGATE);
            return () -> assertThat(region.scheduler(0).body(held.toString()).put(path).statusCode()).isLessThan(300);
        }
        return () -> eventually("undo " + path, () -> region.placement()
                .body(held.put("resource_provider_generation", generation(path.split("/")[2])).toString())
                .put(path).statusCode() == 200);
    }

    void takeBack() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        settle();
    }

    static ObjectNode read(Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        try {
            return (ObjectNode) JSON.readTree(answer.asString());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void patch(ObjectNode requestSpec, JsonNode step) {
        String[] parts = step.path("path").asText().split("/");
        JsonNode parent = requestSpec;
        for (int i = 2; i < parts.length - 1; i++) {
            parent = parent.path(parts[i]);
        }
        String member = parts[parts.length - 1];
        if (step.path("op").asText().equals("remove")) {
            ((ObjectNode) parent).remove(member);
        } else {
            ((ObjectNode) parent).set(member, step.path("value"));
        }
    }

    /** Requests that lack one member or extra spec. */
    Map<String, ObjectNode> requestsWithLess() {
        Map<String, ObjectNode> all = new LinkedHashMap<>();
        request.path("flavor").path("extra_specs").fieldNames().forEachRemaining(spec -> {
            if (!spec.equals("trait:" + trait)) {
                ObjectNode less = request.deepCopy();
                ((ObjectNode) less.path("flavor").path("extra_specs")).remove(spec);
                all.put(spec, less);
            }
        });
        for (String member : List.of("availability_zone", "ignore_hosts", "requested_destination", "scheduler_hints")) {
            if (request.has(member)) {
                ObjectNode less = request.deepCopy();
                less.remove(member);
                all.put(member, less);
            }
        }
        return all;
    }

    /** Deletes everything, so that it does not affect other clouds. */
    @Override
    public void close() {
        List.copyOf(instances).forEach(this::release);
        for (String aggregate : aggregates) {
            region.scheduler(0).delete("/v1/host_aggregates/" + aggregate);
        }
        for (Host host : hosts) {
            region.scheduler(0).delete("/v1/compute_nodes/" + host.uuid());
            region.scheduler(0).delete("/v1/services/" + host.service());
        }
        settle();
        providers.reversed().forEach(uuid -> region.placement().delete("/resource_providers/" + uuid));
    }

    @Override
    public String toString() {
        return name + " " + shape + " " + request;
    }
}
