package io.berth.placement.overview;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the routes under {@code /berth/v1} for the fleet and the replica over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class OverviewEndpointIT {
    @Inject
    Pool pool;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .contentType("application/json");
    }

    private static void claim(Map<UUID, Integer> vcpus) {
        StringBuilder allocations = new StringBuilder();
        vcpus.forEach((provider, amount) -> allocations.append(allocations.isEmpty() ? "" : ",")
                .append("\"%s\": {\"resources\": {\"VCPU\": %d}}".formatted(provider, amount)));
        admin().body("""
                {"allocations": {%s}, "project_id": "p", "user_id": "u", "consumer_generation": null,
                 "consumer_type": "INSTANCE"}""".formatted(allocations))
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    private UUID childOf(UUID parent, int vcpus) {
        UUID child = UUID.randomUUID();
        admin().body(Map.of("uuid", child, "name", "child-" + child, "parent_provider_uuid", parent))
                .post("/resource_providers").then().statusCode(200);
        admin().body(Map.of("resource_provider_generation", 0, "inventories", Map.of("VCPU", Map.of("total", vcpus))))
                .put("/resource_providers/" + child + "/inventories").then().statusCode(200);
        admin().body(Map.of("resource_provider_generation", 1, "traits", List.of("HW_NUMA_ROOT")))
                .put("/resource_providers/" + child + "/traits").then().statusCode(200);
        return child;
    }

    @Test
    void addsUpEachTreeIncludingClaimsJustMade() {
        UUID flat = aProvider().with("VCPU", 8, 2).with("DISK_GB", 100).ratio(1.5).insert(pool);
        UUID root = aProvider().with("MEMORY_MB", 1024).insert(pool);
        UUID one = childOf(root, 4);
        UUID other = childOf(root, 6);
        claim(Map.of(flat, 3));
        claim(Map.of(one, 1, other, 2));

        JsonPath fleet = admin().get("/berth/v1/fleet").then().statusCode(200).extract().jsonPath();
        List<String> uuids = fleet.getList("uuid");
        int atFlat = uuids.indexOf(flat.toString());
        int atRoot = uuids.indexOf(root.toString());
        assertThat(uuids).doesNotContain(one.toString());
        assertThat(fleet.getString("name[" + atFlat + "]")).isEqualTo("test-" + flat);
        assertThat(fleet.getInt("providers[" + atRoot + "]")).isEqualTo(3);
        assertThat(column(fleet, "VCPU.capacity", atFlat)).isEqualTo(9);
        assertThat(column(fleet, "VCPU.used", atFlat)).isEqualTo(3);
        assertThat(column(fleet, "VCPU.capacity", atRoot)).isEqualTo(10);
        assertThat(column(fleet, "VCPU.used", atRoot)).isEqualTo(3);
        assertThat(column(fleet, "DISK_GB.capacity", atFlat)).isEqualTo(150);
        assertThat(column(fleet, "DISK_GB.capacity", atRoot)).isZero();
        assertThat(fleet.getDouble("resource_classes.VCPU.allocation_ratio[" + atFlat + "]")).isEqualTo(1.5);
        assertThat(fleet.<String>getList("trait_sets[" + fleet.getInt("traits[" + atRoot + "]") + "]"))
                .containsExactly("HW_NUMA_ROOT");
        assertThat(fleet.<String>getList("trait_sets[" + fleet.getInt("traits[" + atFlat + "]") + "]")).isEmpty();
        for (String column : List.of("name", "providers", "traits", "aggregates")) {
            assertThat(fleet.getList(column)).as(column).hasSameSizeAs(uuids);
        }
        assertThat(fleet.<Map<String, Map<String, List<Number>>>>get("resource_classes").values())
                .allSatisfy(columns -> assertThat(columns.values())
                        .allSatisfy(column -> assertThat(column).hasSameSizeAs(uuids)));
    }

    private static long column(JsonPath fleet, String column, int at) {
        return fleet.getLong("resource_classes." + column + "[" + at + "]");
    }

    @Test
    void returnsAWholeTreeByAnyOfItsProviders() {
        UUID root = aProvider().with("VCPU", 8, 2).ratio(1.5).insert(pool);
        UUID child = childOf(root, 4);
        UUID aggregate = UUID.randomUUID();
        admin().body(Map.of("resource_provider_generation", generation(root), "aggregates", List.of(aggregate)))
                .put("/resource_providers/" + root + "/aggregates").then().statusCode(200);
        claim(Map.of(root, 3));
        for (UUID named : List.of(root, child)) {
            admin().get("/berth/v1/fleet/" + named).then().statusCode(200)
                    .body("providers", hasSize(2))
                    .body("providers[0].uuid", equalTo(root.toString()))
                    .body("providers[0].parent", nullValue())
                    .body("providers[0].generation", equalTo(generation(root)))
                    .body("providers[0].inventories.VCPU.total", equalTo(8))
                    .body("providers[0].inventories.VCPU.reserved", equalTo(2))
                    .body("providers[0].inventories.VCPU.capacity", equalTo(9))
                    .body("providers[0].inventories.VCPU.used", equalTo(3))
                    .body("providers[0].inventories.VCPU.allocation_ratio", equalTo(1.5f))
                    .body("providers[0].aggregates", equalTo(List.of(aggregate.toString())))
                    .body("providers[1].uuid", equalTo(child.toString()))
                    .body("providers[1].parent", equalTo(root.toString()))
                    .body("providers[1].traits", equalTo(List.of("HW_NUMA_ROOT")));
        }
    }

    @Test
    void requiresTheAdminOrServiceRole() {
        for (String path : List.of("/berth/v1/fleet", "/berth/v1/fleet/" + UUID.randomUUID(), "/berth/v1/replica")) {
            given().header("x-auth-token", "joe").header("x-roles", "reader").get(path).then().statusCode(403);
            given().get(path).then().statusCode(401);
        }
    }

    @Test
    void returnsTheReplicaThatResponds() {
        JsonPath replica = admin().get("/berth/v1/replica").then().statusCode(200).extract().jsonPath();
        assertThat(replica.getString("name")).endsWith("/" + ProcessHandle.current().pid());
        assertThat(replica.getString("version")).isNotBlank();
        assertThat(Instant.parse(replica.getString("started_at"))).isBefore(Instant.now());
    }

    @Test
    void returns404ForUnknownProviders() {
        admin().get("/berth/v1/fleet/" + UUID.randomUUID()).then().statusCode(404);
        admin().get("/berth/v1/fleet/nonsense").then().statusCode(404);
    }

    private static int generation(UUID provider) {
        return admin().get("/resource_providers/" + provider).then().statusCode(200).extract().path("generation");
    }
}
