package io.berth.scheduler.endtoend;

import static io.berth.deploy.process.Await.eventually;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A host with 4 VCPUs, 8192 MiB and 100 GiB free, and a small request that fits there. */
final class Scene {
    private static final ObjectMapper JSON = new ObjectMapper();

    final String host;
    final String uuid = UUID.randomUUID().toString();
    final String service = UUID.randomUUID().toString();
    final ObjectNode request = request(1, 512);
    /** Generated names and uuids, by the names that expectations use for them. */
    final Map<String, String> names = new HashMap<>();
    private final Region region;
    private final ObjectNode report = JSON.createObjectNode();

    Scene(Region region, String host) {
        this.region = region;
        this.host = host;
        names.put("host", host);
        names.put("uuid", uuid);
        provider(uuid, host, null, Map.of(
                "VCPU", Map.of("total", 5, "reserved", 1, "allocation_ratio", 1.0, "max_unit", 64),
                "MEMORY_MB", Map.of("total", 8192, "max_unit", 65536),
                "DISK_GB", Map.of("total", 100)));
        region.scheduler(0).body(Map.of("host", host)).put("/v1/services/" + service).then().statusCode(201);
        report.put("host", host);
        region.scheduler(0).body(report.toString()).put("/v1/compute_nodes/" + uuid).then().statusCode(201);
    }

    static ObjectNode request(int vcpus, int memoryMb) {
        ObjectNode request = JSON.createObjectNode().put("project_id", "p").put("user_id", "u");
        request.putObject("flavor").put("id", 1).put("name", "f").put("vcpus", vcpus).put("memory_mb", memoryMb)
                .put("root_gb", 1).putObject("extra_specs");
        return request;
    }

    // Request

    ObjectNode flavor() {
        return (ObjectNode) request.path("flavor");
    }

    void spec(String key, String value) {
        ((ObjectNode) flavor().path("extra_specs")).put(key, value);
    }

    ObjectNode hints() {
        return request.withObjectProperty("scheduler_hints");
    }

    void property(String key, String value) {
        request.withObjectProperty("image").put("id", UUID.randomUUID().toString())
                .withObjectProperty("properties").put(key, value);
    }

    // Registry

    void service(String member, Object value) {
        Map<String, Object> body = new HashMap<>(Map.of("host", host, member, value));
        Response now = region.scheduler(0).get("/v1/services/" + service);
        for (String other : List.of("disabled", "forced_down")) {
            body.putIfAbsent(other, Boolean.TRUE.equals(now.path(other)));
        }
        region.scheduler(0).body(body).put("/v1/services/" + service).then().statusCode(200);
        if (Boolean.TRUE.equals(body.get("disabled"))) {
            eventually("placement knows that " + host + " is disabled", () -> region.placement()
                    .get("/resource_providers/" + uuid + "/traits").jsonPath().getList("traits")
                    .contains("COMPUTE_STATUS_DISABLED"));
        }
    }

    /** Sets a member of the compute node's report, as JSON, and sends the report. */
    void report(String member, String json) {
        try {
            report.set(member, JSON.readTree(json));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
        region.scheduler(0).body(report.toString()).put("/v1/compute_nodes/" + uuid).then().statusCode(200);
    }

    void aggregate(String key, String value) {
        aggregate(Map.of(key, value));
    }

    void aggregate(Map<String, String> metadata) {
        region.scheduler(0)
                .body(Map.of("name", "of " + host + metadata, "metadata", metadata, "hosts", List.of(host)))
                .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
    }

    String group(String policy) {
        String group = UUID.randomUUID().toString();
        region.scheduler(0).body(Map.of("policy", policy)).put("/v1/server_groups/" + group).then().statusCode(201);
        hints().put("group", group);
        return group;
    }

    // Placement

    private int generation(String provider) {
        return region.placement().get("/resource_providers/" + provider).path("generation");
    }

    void provider(String provider, String name, String parent, Map<String, ?> inventories) {
        Map<String, Object> body = new HashMap<>(Map.of("name", name, "uuid", provider));
        if (parent != null) {
            body.put("parent_provider_uuid", parent);
        }
        region.placement().body(body).post("/resource_providers").then().statusCode(200);
        region.placement().body(Map.of("resource_provider_generation", 0, "inventories", inventories))
                .put("/resource_providers/" + provider + "/inventories").then().statusCode(200);
    }

    /** Creates a child provider of the host, or of another provider; returns its uuid. */
    String card(String name, String parent, String resourceClass, int total) {
        String card = UUID.randomUUID().toString();
        provider(card, host + "-" + name, parent, Map.of(resourceClass, Map.of("total", total)));
        names.put(name, host + "-" + name);
        return card;
    }

    void inventory(String resourceClass, Map<String, ?> inventory) {
        Map<String, Object> body = new HashMap<>(inventory);
        body.put("resource_provider_generation", generation(uuid));
        region.placement().body(body).put("/resource_providers/" + uuid + "/inventories/" + resourceClass)
                .then().statusCode(200);
    }

    void trait(String provider, String trait) {
        List<String> traits = new ArrayList<>(
                region.placement().get("/resource_providers/" + provider + "/traits").jsonPath().getList("traits"));
        traits.add(trait);
        region.placement().body(Map.of("resource_provider_generation", generation(provider), "traits", traits))
                .put("/resource_providers/" + provider + "/traits").then().statusCode(200);
    }

    void join(String provider, String aggregate) {
        List<String> aggregates = new ArrayList<>(region.placement()
                .get("/resource_providers/" + provider + "/aggregates").jsonPath().getList("aggregates"));
        aggregates.add(aggregate);
        region.placement()
                .body(Map.of("resource_provider_generation", generation(provider), "aggregates", aggregates))
                .put("/resource_providers/" + provider + "/aggregates").then().statusCode(200);
    }

    /** Replaces the host's disk with that of a sharing provider. */
    void sharedDisk(int gb, int reservedGb) {
        String pool = UUID.randomUUID().toString();
        provider(pool, "pool of " + host, null, Map.of("DISK_GB", Map.of("total", gb, "reserved", reservedGb)));
        trait(pool, "MISC_SHARES_VIA_AGGREGATE");
        join(pool, pool);
        join(uuid, pool);
        region.placement().delete("/resource_providers/" + uuid + "/inventories/DISK_GB").then().statusCode(204);
    }

    /** Places an instance of one VCPU and one MiB on the host. */
    String instance(int diskGb) {
        return instance(host, diskGb, null);
    }

    String instance(String on, int diskGb, String group) {
        ObjectNode small = request(1, 1);
        ((ObjectNode) small.path("flavor")).put("root_gb", diskGb);
        small.putArray("force_hosts").add(on);
        if (group != null) {
            small.putObject("scheduler_hints").put("group", group);
        }
        String instance = UUID.randomUUID().toString();
        region.scheduler(0).body("{\"instance_uuids\": [\"" + instance + "\"], \"request_spec\": " + small + "}")
                .post("/v1/select_destinations").then().statusCode(200);
        names.put("instance", instance);
        return instance;
    }
}
