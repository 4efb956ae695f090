package io.berth.scheduler.fleet;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.LogLines;
import io.berth.scheduler.api.PackagedPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shows and changes hosts of a real Placement and of the registry through {@code /v1/fleet}. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class FleetEndpointIT {
    private final String uuid = UUID.randomUUID().toString();
    private final String name = "host-" + uuid;

    private static RequestSpecification as(String role) {
        return given().header("x-auth-token", "joe").header("x-roles", role).contentType("application/json");
    }

    private static RequestSpecification placement() {
        return given().header("x-auth-token", "admin").contentType("application/json")
                .baseUri(PackagedPlacement.url())
                .port(URI.create(PackagedPlacement.url()).getPort())
                .header("openstack-api-version", "placement 1.39");
    }

    @BeforeEach
    void createAHostInPlacement() {
        placement().body(Map.of("name", name, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        placement()
                .body(Map.of("resource_provider_generation", 0, "inventories", Map.of(
                        "VCPU", Map.of("total", 10, "reserved", 2, "allocation_ratio", 2.0))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
    }

    /**
     * Waits until the fleet shows the host as expected, because the response may be a second old; returns its position.
     */
    private int positionOnce(java.util.function.BiPredicate<JsonPath, Integer> isExpected) {
        int[] at = new int[1];
        eventually("the fleet shows " + name, () -> {
            JsonPath fleet = fleet();
            at[0] = fleet.getList("uuid").indexOf(uuid);
            return at[0] >= 0 && isExpected.test(fleet, at[0]);
        });
        return at[0];
    }

    private static JsonPath fleet() {
        return as("service").get("/v1/fleet").then().statusCode(200).extract().jsonPath();
    }

    private static String state(JsonPath fleet, int at) {
        return fleet.getString("states[" + fleet.getInt("state[" + at + "]") + "]");
    }

    private ValidatableResponse host() {
        return as("service").get("/v1/fleet/" + uuid).then().statusCode(200);
    }

    private void register(String host, String more) {
        as("admin").body("{\"host\": \"" + host + "\"" + more + "}").put("/v1/compute_nodes/" + uuid).then()
                .statusCode(201);
    }

    private static void putService(String host, Map<String, Object> state) {
        Map<String, Object> body = new java.util.HashMap<>(state);
        body.put("host", host);
        as("admin").body(body).put("/v1/services/" + UUID.randomUUID()).then().statusCode(201);
    }

    @Test
    void showsAnUnregisteredHostWithTheAggregatesOfItsName() {
        String aggregate = UUID.randomUUID().toString();
        as("admin")
                .body(Map.of("name", "zone-" + uuid, "hosts", List.of(name),
                        "metadata", Map.of("availability_zone", "az-" + uuid)))
                .put("/v1/host_aggregates/" + aggregate).then().statusCode(201);
        int at = positionOnce((fleet, i) -> ("az-" + uuid)
                .equals(fleet.getString("zones[" + fleet.getInt("zone[" + i + "]") + "]")));
        JsonPath fleet = fleet();
        assertThat(state(fleet, at)).isEqualTo("unknown");
        assertThat(fleet.getString("host[" + at + "]")).isEqualTo(name);
        assertThat(fleet.getInt("resource_classes.VCPU.capacity[" + at + "]")).isEqualTo(16);
        assertThat(fleet.<String>getList("host_aggregate_sets[" + fleet.getInt("host_aggregates[" + at + "]") + "]"))
                .containsExactly("zone-" + uuid);
        assertThat(fleet.getLong("as_of.fleet_version")).isPositive();
        for (String column : List.of("host", "state", "zone", "cell", "host_aggregates", "instances")) {
            assertThat(fleet.getList(column)).as(column).hasSameSizeAs(fleet.getList("uuid"));
        }
        host().body("registered", equalTo(false))
                .body("service", nullValue())
                .body("zone", equalTo("az-" + uuid))
                .body("host_aggregates[0].uuid", equalTo(aggregate))
                .body("providers[0].inventories.VCPU.capacity", equalTo(16))
                .body("providers[0].inventories.VCPU.set_by", equalTo("placement"));
    }

    @Test
    void showsARegisteredHostByItsOwnNameAndTheStateOfItsService() {
        String host = "compute-" + uuid;
        String cell = UUID.randomUUID().toString();
        as("admin").body(Map.of("name", "cell-" + uuid)).put("/v1/cells/" + cell).then().statusCode(201);
        register(host, ", \"cell_uuid\": \"" + cell + "\", \"hypervisor_type\": \"QEMU\"");
        putService(host, Map.of("disabled", true, "disabled_reason", "a fan"));
        String instance = UUID.randomUUID().toString();
        as("admin").body(Map.of("host", host)).put("/v1/instances/" + instance).then().statusCode(201);
        int at = positionOnce((fleet, i) -> state(fleet, i).equals("disabled")
                && fleet.getInt("instances[" + i + "]") == 1);
        JsonPath fleet = fleet();
        assertThat(fleet.getString("host[" + at + "]")).isEqualTo(host);
        assertThat(fleet.getString("cells[" + fleet.getInt("cell[" + at + "]") + "]")).isEqualTo("cell-" + uuid);
        host().body("host", equalTo(host))
                .body("registered", equalTo(true))
                .body("state", equalTo("disabled"))
                .body("service.disabled_reason", equalTo("a fan"))
                .body("instances", equalTo(List.of(instance)));
    }

    @Test
    void anAdminCanChangeAnAllocationRatio() {
        int generation = host().extract().path("providers[0].generation");
        as("admin").body(Map.of("resource_provider_generation", generation, "allocation_ratio", 4.0))
                .put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(200)
                .body("providers[0].inventories.VCPU.allocation_ratio", equalTo(4.0f))
                .body("providers[0].inventories.VCPU.capacity", equalTo(32))
                .body("providers[0].inventories.VCPU.reserved", equalTo(2));
        placement().get("/resource_providers/" + uuid + "/inventories/VCPU").then()
                .body("allocation_ratio", equalTo(4.0f))
                .body("reserved", equalTo(2));
        as("admin").body(Map.of("resource_provider_generation", generation, "reserved", 1))
                .put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(409)
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        as("admin").body(Map.of("resource_provider_generation", generation + 1, "reserved", 1))
                .put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(200)
                .body("providers[0].inventories.VCPU.capacity", equalTo(36));
    }

    @Test
    void logsChangesOfARatioWithUserAndValues() {
        try (var log = LogLines.of("io.berth.changes")) {
            as("admin").body(Map.of("resource_provider_generation", 1, "allocation_ratio", 4.0))
                    .put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(200);
            eventually(() -> assertThat(log.lines()).filteredOn(line -> line.contains(uuid)).singleElement().asString()
                    .matches("inventory VCPU of \\(" + uuid
                            + "\\) changed user: joe project: joe request_id: req-[0-9a-f-]+"
                            + " old: \\{.*\"allocation_ratio\":2\\.0.* new: \\{.*\"allocation_ratio\":4\\.0.*"));
        }
    }

    @Test
    void readersMayNeitherSeeNorChangeTheFleet() {
        as("reader").body(Map.of("resource_provider_generation", 1, "allocation_ratio", 4.0))
                .put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(403)
                .body("errors[0].detail", equalTo("the policy does not allow scheduler:fleet:update"));
        as("reader").get("/v1/fleet").then().statusCode(403);
        host().body("providers[0].inventories.VCPU.allocation_ratio", equalTo(2.0f));
    }

    @Test
    void refusesToChangeWhatTheComputeNodeReports() {
        register(name, ", \"cpu_allocation_ratio\": 3.0, \"inventories\": {\"VCPU\": {\"total\": 10}}");
        int generation = host()
                .body("providers[0].inventories.VCPU.set_by", equalTo("compute_node"))
                .extract().path("providers[0].generation");
        for (Map<String, Object> change : List.<Map<String, Object>>of(Map.of("allocation_ratio", 4.0), Map.of("reserved", 1))) {
            Map<String, Object> body = new java.util.HashMap<>(change);
            body.put("resource_provider_generation", generation);
            as("admin").body(body).put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.conflict"));
        }
    }

    @Test
    void refusesInvalidInventoryChanges() {
        for (String body : List.of("{}", "{\"resource_provider_generation\": 1}",
                "{\"resource_provider_generation\": 1, \"allocation_ratio\": 0}",
                "{\"resource_provider_generation\": 1, \"reserved\": -1}",
                "{\"resource_provider_generation\": 1, \"total\": 1}")) {
            as("admin").body(body).put("/v1/fleet/" + uuid + "/inventories/VCPU").then().statusCode(400);
        }
        as("admin").body("{\"resource_provider_generation\": 1, \"reserved\": 1}")
                .put("/v1/fleet/" + uuid + "/inventories/PCPU").then().statusCode(404);
        as("admin").get("/v1/fleet/" + UUID.randomUUID()).then().statusCode(404);
        as("admin").get("/v1/fleet/nonsense").then().statusCode(404);
    }

    @Test
    void listsWhatTheCallerMayDo() {
        as("service").get("/v1/caller").then().statusCode(200)
                .body("user_id", equalTo("joe"))
                .body("roles", hasItem("service"))
                .body("allowed", hasItem("scheduler:fleet:show"))
                .body("allowed", not(hasItem("scheduler:audit:show")));
        as("admin").get("/v1/caller").then().body("allowed", hasItem("scheduler:audit:show"));
        given().get("/v1/caller").then().statusCode(401).body("errors", hasSize(1));
    }
}
