package io.berth.scheduler.endtoend;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One fleet with every mechanism that may decide about the host of an instance. The host with the most memory wins
 * unless a mechanism says otherwise, so each test shows the result with its mechanism and without it.
 */
@Tag("process")
class FleetIT {
    private static final String OPTIONS = """
            [filter_scheduler]
            enabled_filters = ComputeFilter, ImagePropertiesFilter, ServerGroupAntiAffinityFilter,
                ServerGroupAffinityFilter, NUMATopologyFilter, PciPassthroughFilter
            weight_classes = nova.scheduler.weights.ram.RAMWeigher
            [scheduler]
            enable_isolated_aggregate_filtering = true
            query_placement_for_image_type_support = true
            [pci]
            alias = {"name": "gpu", "vendor_id": "10de", "product_id": "10d8"}
            """;

    private static Region region;
    private static final Map<String, String> UUIDS = new LinkedHashMap<>();

    @BeforeAll
    static void start() {
        region = Region.start(1, OPTIONS);
        region.placement().put("/traits/CUSTOM_LICENSED").then().statusCode(201);
        host("small", 4, List.of(), "");
        host("middle", 8, List.of("COMPUTE_IMAGE_TYPE_RAW"), "");
        host("large", 16, List.of("COMPUTE_IMAGE_TYPE_RAW"), "");
        host("images", 6, List.of("COMPUTE_IMAGE_TYPE_QCOW2"), "");
        host("licensed", 64, List.of("CUSTOM_LICENSED"), "");
        host("pinning", 5, List.of(), """
                , "numa_topology": {"cells": [
                    {"id": 0, "cpuset": [0, 1], "pcpuset": [2, 3], "memory": 4096, "siblings": [[2], [3]],
                     "mempages": [{"size_kb": 4, "total": 1048576}]},
                    {"id": 1, "cpuset": [4, 5], "pcpuset": [6, 7], "memory": 4096, "siblings": [[6], [7]],
                     "mempages": [{"size_kb": 4, "total": 1048576}]}]}""");
        host("devices", 5, List.of(), """
                , "pci_stats": {"pools": [{"vendor_id": "10de", "product_id": "10d8", "numa_node": null, "count": 1,
                    "dev_type": "type-PCI"}]}""");
        aggregate("zone a", Map.of("availability_zone", "zone-a"), List.of("small", "images"));
        aggregate("zone b", Map.of("availability_zone", "zone-b"), List.of("middle", "large"));
        aggregate("licences", Map.of("trait:CUSTOM_LICENSED", "required"), List.of("licensed"));
        for (String host : List.of("small", "images", "middle", "large", "licensed")) {
            eventually(host + " is in its placement aggregate", () -> !region.placement()
                    .get("/resource_providers/" + UUIDS.get(host) + "/aggregates")
                    .jsonPath().getList("aggregates").isEmpty());
        }
    }

    @AfterAll
    static void stop() {
        region.close();
    }

    private static void host(String name, int gigabytes, List<String> traits, String more) {
        String uuid = UUID.randomUUID().toString();
        UUIDS.put(name, uuid);
        region.placement().body(Map.of("name", name, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        region.placement()
                .body(Map.of("resource_provider_generation", 0, "inventories", Map.of(
                        "VCPU", Map.of("total", 4, "allocation_ratio", 4.0),
                        "PCPU", Map.of("total", 4),
                        "MEMORY_MB", Map.of("total", gigabytes * 1024),
                        "DISK_GB", Map.of("total", 100))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        region.placement().body(Map.of("resource_provider_generation", 1, "traits", traits))
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
        region.scheduler(0).body(Map.of("host", name)).put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
        region.scheduler(0)
                .body("""
                        {"host": "%s", "total_usable_ram_mb": %d, "free_ram_mb": %d, "vcpus_total": 4,
                         "cpu_allocation_ratio": 4.0, "ram_allocation_ratio": 1.0%s}"""
                        .formatted(name, gigabytes * 1024, gigabytes * 1024, more))
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
    }

    private static void aggregate(String name, Map<String, String> metadata, List<String> hosts) {
        region.scheduler(0)
                .body(Map.of("name", name, "metadata", metadata, "hosts", hosts))
                .put("/v1/host_aggregates/" + UUID.randomUUID()).then().statusCode(201);
    }

    private static Response select(String instance, String extraSpecs, String more) {
        return region.scheduler(0)
                .body("""
                        {"instance_uuids": ["%s"], "request_spec": {"project_id": "p", "user_id": "u",
                          "flavor": {"id": 1, "name": "f", "vcpus": 2, "memory_mb": 1024, "root_gb": 1,
                                     "extra_specs": {%s}}%s}}""".formatted(instance, extraSpecs, more))
                .post("/v1/select_destinations");
    }

    /** The selected host. The instance is deleted again, so that the next request meets the same fleet. */
    private static String chosen(String extraSpecs, String more) {
        String instance = UUID.randomUUID().toString();
        Response response = select(instance, extraSpecs, more);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        deleteInstance(instance);
        return response.path("selections[0][0].host");
    }

    private static void deleteInstance(String instance) {
        region.scheduler(0).delete("/v1/instances/" + instance).then().statusCode(204);
    }

    /** The filter that left no host. */
    private static String refusedBy(String extraSpecs, String more) {
        Response response = select(UUID.randomUUID().toString(), extraSpecs, more);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(409);
        return response.path("errors[0].explanation.nearest_miss.stage");
    }

    @Test
    void selectsHostsOfTheRequestedZone() {
        assertThat(chosen("", "")).isEqualTo("large");
        assertThat(chosen("", ", \"availability_zone\": \"zone-b\"")).isEqualTo("large");
        assertThat(chosen("", ", \"availability_zone\": \"zone-a\"")).isEqualTo("images");
    }

    @Test
    void anIsolatedAggregateAcceptsOnlyRequestsForItsTrait() {
        assertThat(chosen("", "")).isNotEqualTo("licensed");
        assertThat(chosen("\"trait:CUSTOM_LICENSED\": \"required\"", "")).isEqualTo("licensed");
    }

    @Test
    void aDisabledServiceGetsNoInstancesUntilItIsEnabled() {
        host("doubtful", 32, List.of(), "");
        assertThat(chosen("", "")).isEqualTo("doubtful");
        setDisabled("doubtful", true);
        assertThat(chosen("", "")).isEqualTo("large");
        eventually("the trait is on the provider", () -> traits("doubtful").contains("COMPUTE_STATUS_DISABLED"));
        assertThat(chosen("", "")).isEqualTo("large");
        setDisabled("doubtful", false);
        eventually("the trait is gone", () -> !traits("doubtful").contains("COMPUTE_STATUS_DISABLED"));
        assertThat(chosen("", "")).isEqualTo("doubtful");
        setDisabled("doubtful", true);
    }

    private static void setDisabled(String host, boolean disabled) {
        List<Map<String, Object>> services = region.scheduler(0).get("/v1/services").jsonPath().getList("services");
        Object uuid = services.stream()
                .filter(service -> host.equals(service.get("host")))
                .findFirst().orElseThrow()
                .get("uuid");
        region.scheduler(0).body(Map.of("host", host, "disabled", disabled)).put("/v1/services/" + uuid)
                .then().statusCode(200);
    }

    private static List<String> traits(String host) {
        return region.placement().get("/resource_providers/" + UUIDS.get(host) + "/traits")
                .jsonPath().getList("traits");
    }

    @Test
    void selectsHostsThatSupportTheImageFormat() {
        assertThat(chosen("", ", \"image\": {\"id\": null, \"disk_format\": \"qcow2\"}")).isEqualTo("images");
        assertThat(chosen("", ", \"image\": {\"id\": null, \"disk_format\": \"raw\"}")).isEqualTo("large");
    }

    @Test
    void placesPinnedCpusOnCellsThatHaveThem() {
        String pinned = "\"hw:cpu_policy\": \"dedicated\", \"hw:numa_nodes\": \"2\"";
        assertThat(chosen(pinned, "")).isEqualTo("pinning");
        assertThat(
                refusedBy(pinned + ", \"hw:numa_mem.0\": \"1000\", \"hw:numa_mem.1\": \"24\","
                        + " \"hw:numa_cpus.0\": \"0\", \"hw:numa_cpus.1\": \"1\", \"hw:mem_page_size\": \"1GB\"", ""))
                .isEqualTo("NUMATopologyFilter");
    }

    /**
     * The node states no allocation ratio: placement has the default one, and the CPUs of cells are overcommitted by it
     * as well.
     */
    @Test
    void cellsUseTheAllocationRatioOfPlacement() {
        String uuid = UUID.randomUUID().toString();
        region.scheduler(0).body(Map.of("host", "shared")).put("/v1/services/" + UUID.randomUUID()).then()
                .statusCode(201);
        region.scheduler(0).body("""
                {"host": "shared",
                 "inventories": {"VCPU": {"total": 16}, "MEMORY_MB": {"total": 2048}, "DISK_GB": {"total": 100}},
                 "numa_topology": {"cells": [
                    {"id": 0, "cpuset": [0, 1, 2, 3, 4, 5, 6, 7], "memory": 2048, "cpu_usage": 8,
                     "mempages": [{"size_kb": 4, "total": 524288}]},
                    {"id": 1, "cpuset": [8, 9, 10, 11, 12, 13, 14, 15], "memory": 2048, "cpu_usage": 8,
                     "mempages": [{"size_kb": 4, "total": 524288}]}]}}""")
                .put("/v1/compute_nodes/" + uuid).then().statusCode(201);
        eventually("placement has its inventories", () -> region.placement()
                .get("/resource_providers/" + uuid + "/inventories").asString().contains("DISK_GB"));
        String instance = UUID.randomUUID().toString();
        Response response = select(
                instance, "\"hw:numa_nodes\": \"1\"", ", \"requested_destination\": {\"host\": \"shared\"}");
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        assertThat(response.<Float>path("selections[0][0].limits.numa_topology.cpu_allocation_ratio")).isEqualTo(4.0f);
        deleteInstance(instance);
    }

    @Test
    void selectsTheHostWithTheDevice() {
        assertThat(chosen("\"pci_passthrough:alias\": \"gpu:1\"", "")).isEqualTo("devices");
        assertThat(refusedBy("\"pci_passthrough:alias\": \"gpu:2\"", "")).isEqualTo("PciPassthroughFilter");
    }

    @Test
    void aServerGroupSpreadsOrPacks() {
        assertThat(hostsOfTwo("anti-affinity")).containsExactly("large", "middle");
        assertThat(hostsOfTwo("affinity")).containsExactly("large", "large");
    }

    /** The hosts of two instances of a new group, requested one after the other. */
    private static List<String> hostsOfTwo(String policy) {
        String group = UUID.randomUUID().toString();
        region.scheduler(0).body(Map.of("policy", policy)).put("/v1/server_groups/" + group).then().statusCode(201);
        String hint = ", \"scheduler_hints\": {\"group\": \"" + group + "\"}";
        List<String> instances = List.of(UUID.randomUUID().toString(), UUID.randomUUID().toString());
        List<String> hosts = instances.stream()
                .map(instance -> select(instance, "", hint).<String>path("selections[0][0].host"))
                .toList();
        instances.forEach(FleetIT::deleteInstance);
        return hosts;
    }
}
