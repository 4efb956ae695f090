package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Hosts in a real Placement for one test only: they have a trait of their own, which every flavor requires. */
final class Fleet {
    private final String trait = "CUSTOM_T" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final String prefix;

    Fleet() {
        this("");
    }

    /** @param prefix of its hosts' names, for tests that depend on their order among those of other tests */
    Fleet(String prefix) {
        this.prefix = prefix;
        placement().put("/traits/" + trait).then().statusCode(201);
    }

    /** The trait that every provider of this fleet has and every flavor requires. */
    String trait() {
        return trait;
    }

    static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    static RequestSpecification placement() {
        return admin().baseUri(PackagedPlacement.url())
                .port(URI.create(PackagedPlacement.url()).getPort())
                .header("openstack-api-version", "placement 1.36");
    }

    /** A provider with this many VCPUs, and memory and disk for as many instances of one VCPU. */
    String host(String name, int vcpus, String... moreTraits) {
        String uuid = UUID.randomUUID().toString();
        placement().body(Map.of("name", name(name), "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        placement()
                .body(Map.of(
                        "resource_provider_generation", 0,
                        "inventories", Map.of(
                                "VCPU", Map.of("total", vcpus),
                                "MEMORY_MB", Map.of("total", vcpus * 512),
                                "DISK_GB", Map.of("total", vcpus * 10))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        List<String> traits = new ArrayList<>(List.of(moreTraits));
        traits.add(trait);
        placement().body(Map.of("resource_provider_generation", 1, "traits", traits))
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
        return uuid;
    }

    /** Registers a provider as a compute node. */
    void register(String uuid, String name, String cell) {
        admin().body(Map.of("host", name(name), "cell_uuid", cell))
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
    }

    static String cell(String name) {
        String uuid = UUID.randomUUID().toString();
        admin().body(Map.of("name", name + "-" + uuid)).put("/v1/cells/" + uuid).then().statusCode(201);
        return uuid;
    }

    String name(String suffix) {
        return prefix + trait.substring(8, 20).toLowerCase(Locale.ROOT) + "-" + suffix;
    }

    /** @param more further members, each after a comma */
    String spec(int vcpus, String more) {
        return """
                {"project_id": "p", "user_id": "u",
                  "flavor": {"id": 1, "name": "small", "vcpus": %d, "memory_mb": %d, "root_gb": %d,
                             "extra_specs": {"trait:%s": "required"}}%s}"""
                .formatted(vcpus, vcpus * 512, vcpus * 10, trait, more);
    }

    String body(List<String> instances, String more) {
        return """
                {"instance_uuids": %s, "return_alternates": true, "request_spec": %s}"""
                .formatted("[\"" + String.join("\",\"", instances) + "\"]", spec(1, more));
    }

    static List<String> instances(int count) {
        return Stream.generate(() -> UUID.randomUUID().toString()).limit(count).toList();
    }

    static Response select(String body) {
        return admin().body(body).post("/v1/select_destinations");
    }

    /** Places a new instance with one VCPU, 512 MiB and 10 GiB on this host. */
    String instanceOn(String name) {
        String instance = UUID.randomUUID().toString();
        select(body(List.of(instance), ",\"force_hosts\":[\"" + name(name) + "\"]")).then().statusCode(200);
        return instance;
    }

    /** Provider uuid to resource class to amount. */
    static Map<String, Map<String, Integer>> allocations(String consumer) {
        Map<String, Map<String, Map<String, Integer>>> held =
                placement().get("/allocations/" + consumer).jsonPath().getMap("allocations");
        return held.entrySet().stream().collect(Collectors.toMap(
                Map.Entry::getKey, entry -> entry.getValue().get("resources")));
    }

    /** The allocations of an instance with this many VCPUs on one host. */
    static Map<String, Integer> amounts(int vcpus) {
        return Map.of("VCPU", vcpus, "MEMORY_MB", vcpus * 512, "DISK_GB", vcpus * 10);
    }

    /** Writes allocations as nova does, without a registration at the scheduler. */
    static void hold(String instance, String provider) {
        Integer generation = placement().get("/allocations/" + instance).jsonPath().get("consumer_generation");
        placement().body("""
                {"allocations": {"%s": {"resources": {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 10}}},
                 "consumer_generation": %s, "project_id": "p", "user_id": "u"}""".formatted(provider, generation))
                .put("/allocations/" + instance).then().statusCode(204);
    }
}
