package io.berth.placement.reshaper;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.berth.placement.fleet.FleetFeed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@code POST /reshaper} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ReshaperIT {
    @Inject
    Pool pool;

    @Inject
    FleetFeed fleet;

    private final UUID vm = UUID.randomUUID();
    private UUID host;
    private UUID gpu;

    /**
     * Creates a host at generation 1 with one instance that holds 2 of 4 VGPUs, and a provider to which the VGPUs are
     * to move.
     */
    @BeforeEach
    void createHostAndGpuProvider() {
        host = aProvider().with("VCPU", 8).with("VGPU", 4).insert(pool);
        gpu = aProvider().insert(pool);
        as("1.38").body("""
                {"allocations": {"%s": {"resources": {"VCPU": 3, "VGPU": 2}}}, "project_id": "p", "user_id": "u",
                 "consumer_generation": null, "consumer_type": "INSTANCE"}""".formatted(host))
                .put("/allocations/" + vm).then().statusCode(204);
    }

    @Test
    void returns404Before1Dot30() {
        reshape("1.29", "{}").statusCode(404);
    }

    @Test
    void movesInventoryAndAllocationsTogether() {
        reshape("1.38", """
                {"inventories": {
                   "%1$s": {"resource_provider_generation": 1, "inventories": {"VCPU": {"total": 8}}},
                   "%2$s": {"resource_provider_generation": 0,
                            "inventories": {"VGPU": {"total": 4, "max_unit": 4, "allocation_ratio": 1.5}}}},
                 "allocations": {"%3$s": {
                   "allocations": {"%1$s": {"resources": {"VCPU": 3}}, "%2$s": {"resources": {"VGPU": 2}}},
                   "project_id": "p", "user_id": "u", "consumer_generation": 1, "consumer_type": "INSTANCE"}}}"""
                .formatted(host, gpu, vm)).statusCode(204);
        // Each provider counts three generations, as upstream does: inventories are extended, allocated, then reduced.
        usages(host).body("usages", equalTo(Map.of("VCPU", 3))).body("resource_provider_generation", equalTo(4));
        usages(gpu).body("usages", equalTo(Map.of("VGPU", 2))).body("resource_provider_generation", equalTo(3));
        as("1.38").get("/allocations/" + vm).then().body("consumer_generation", equalTo(2));
        var inventories = fleet.fresh().await().indefinitely().find(gpu).inventories();
        assertThat(inventories.total()).containsExactly(4);
        assertThat(inventories.maxUnit()).containsExactly(4);
        assertThat(inventories.minUnit()).containsExactly(1);
        assertThat(inventories.allocationRatio()).containsExactly(1.5);
    }

    /** A partial restore leaves such data. The reshape does not mention one consumer. */
    @Test
    void countsAllocationsOlderThanTheInventory() {
        as("1.38").body("""
                {"allocations": {"%s": {"resources": {"VGPU": 1}}}, "project_id": "p", "user_id": "u",
                 "consumer_generation": null, "consumer_type": "INSTANCE"}""".formatted(host))
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
        loseInventory("VGPU");
        reshape("1.38", """
                {"inventories": {
                   "%1$s": {"resource_provider_generation": 2,
                            "inventories": {"VCPU": {"total": 8}, "VGPU": {"total": 4}}}},
                 "allocations": {"%2$s": {
                   "allocations": {"%1$s": {"resources": {"VCPU": 3, "VGPU": 1}}},
                   "project_id": "p", "user_id": "u", "consumer_generation": 1, "consumer_type": "INSTANCE"}}}"""
                .formatted(host, vm)).statusCode(204);
        usages(host).body("usages", equalTo(Map.of("VCPU", 3, "VGPU", 2)));
    }

    @Test
    void keepsCapacityForAllocationsOlderThanTheInventory() {
        loseInventory("VCPU");
        String comes = """
                {"inventories": {
                   "%1$s": {"resource_provider_generation": 1,
                            "inventories": {"VCPU": {"total": 8}, "VGPU": {"total": 4}}}},
                 "allocations": {"%2$s": {
                   "allocations": {"%1$s": {"resources": {"VCPU": %3$d}}},
                   "project_id": "p", "user_id": "u", "consumer_generation": null, "consumer_type": "INSTANCE"}}}""";
        UUID other = UUID.randomUUID();
        reshape("1.38", comes.formatted(host, other, 6)).statusCode(409)
                .body("errors[0].detail", containsString("Unable to create allocation for 'VCPU'"));
        reshape("1.38", comes.formatted(host, other, 5)).statusCode(204);
        usages(host).body("usages", equalTo(Map.of("VCPU", 8, "VGPU", 2)));
    }

    /** Deletes an inventory of the host, as a partial restore would. */
    private void loseInventory(String resourceClass) {
        PostgresForTests.run(PostgresForTests.url(), """
                DELETE FROM placement.inventories i USING placement.resource_providers p, placement.resource_classes c
                 WHERE p.id = i.provider_id AND p.uuid = '%s' AND c.id = i.resource_class_id AND c.name = '%s'"""
                .formatted(host, resourceClass));
    }

    @Test
    void changesNothingIfARemovedInventoryIsInUse() {
        reshape("1.30", """
                {"inventories": {"%s": {"resource_provider_generation": 1, "inventories": {"VCPU": {"total": 8}}}},
                 "allocations": {}}""".formatted(host)).statusCode(409)
                .body("errors[0].code", equalTo("placement.inventory.inuse"))
                .body("errors[0].detail", containsString(
                        "update conflict: Inventory for 'VGPU' on resource provider '" + host + "' in use."));
        usages(host).body("usages", equalTo(Map.of("VCPU", 3, "VGPU", 2)))
                .body("resource_provider_generation", equalTo(1));
    }

    @Test
    void namesEveryClassInUse() {
        reshape("1.30", """
                {"inventories": {"%s": {"resource_provider_generation": 1, "inventories": {}}}, "allocations": {}}"""
                .formatted(host)).statusCode(409)
                .body(
                        "errors[0].detail",
                        containsString("Inventory for 'VCPU, VGPU' on resource provider '" + host + "' in use."));
    }

    @Test
    void refusesAnOldProviderGeneration() {
        reshape("1.30", """
                {"inventories": {"%s": {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8}}}},
                 "allocations": {}}""".formatted(host)).statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"))
                .body("errors[0].detail", containsString("resource provider generation conflict for provider " + host
                        + ": actual: 1, given: 0"));
    }

    @Test
    void refusesUnknownProvidersAndClasses() {
        UUID nowhere = UUID.randomUUID();
        reshape("1.30", """
                {"inventories": {"%s": {"resource_provider_generation": 0, "inventories": {}}}, "allocations": {}}"""
                .formatted(nowhere)).statusCode(400)
                .body("errors[0].code", equalTo("placement.resource_provider.not_found"))
                .body("errors[0].detail", containsString("Resource provider " + nowhere + " in inventories not found"));
        reshape("1.30", """
                {"inventories": {"%s": {"resource_provider_generation": 0, "inventories": {"CUSTOM_PONY": {"total": 1}}}},
                 "allocations": {}}""".formatted(gpu)).statusCode(400)
                .body(
                        "errors[0].detail",
                        containsString("malformed reshaper data: No such resource class CUSTOM_PONY."));
        assertThat(ProviderRows.generation(pool, gpu)).isZero();
    }

    @Test
    void refusesAllocationsThatTheNewInventoryCannotHold() {
        reshape("1.30", """
                {"inventories": {
                   "%1$s": {"resource_provider_generation": 1, "inventories": {"VCPU": {"total": 8}}},
                   "%2$s": {"resource_provider_generation": 0, "inventories": {"VGPU": {"total": 1}}}},
                 "allocations": {"%3$s": {
                   "allocations": {"%1$s": {"resources": {"VCPU": 3}}, "%2$s": {"resources": {"VGPU": 2}}},
                   "project_id": "p", "user_id": "u", "consumer_generation": 1}}}"""
                .formatted(host, gpu, vm)).statusCode(409)
                .body(
                        "errors[0].detail",
                        containsString("Unable to allocate inventory: Unable to create allocation for 'VGPU'"));
        usages(gpu).body("usages", equalTo(Map.of()));
    }

    @Test
    void refusesInvalidBodies() {
        for (String body : new String[] {"{}", "{\"inventories\": {}, \"allocations\": {}}",
            "{\"inventories\": {\"x\": {}}, \"allocations\": {}}",
            "{\"inventories\": {\"%s\": {\"resource_provider_generation\": 0, \"inventories\": {\"VCPU\": 1}}},"
                    .formatted(gpu) + " \"allocations\": {}}",
            ("{\"inventories\": {\"%s\": {\"resource_provider_generation\": 0, \"inventories\": {\"VCPU\": {\"total\":"
                    + " 0}}}},").formatted(gpu) + " \"allocations\": {}}"}) {
            reshape("1.38", body).statusCode(400).body("errors[0].detail", containsString("JSON does not validate"));
        }
    }

    /** The class may be deleted between its lookup and the insertion of its inventory. */
    @Test
    void succeedsOrIsRefusedWhileItsClassIsDeleted() throws Exception {
        String name = "CUSTOM_" + UUID.randomUUID().toString().replace("-", "_").toUpperCase(Locale.ROOT);
        int rounds = 60;
        Callable<List<Integer>> createAndDelete = () -> {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                as("1.39").put("/resource_classes/" + name);
                statuses.add(as("1.39").delete("/resource_classes/" + name).statusCode());
            }
            return statuses;
        };
        List<Integer> reshapes = new ArrayList<>();
        try (var other = Executors.newSingleThreadExecutor()) {
            Future<List<Integer>> deletions = other.submit(createAndDelete);
            for (int i = 0; i < rounds; i++) {
                int generation = as("1.39").get("/resource_providers/" + gpu).then().extract().path("generation");
                reshapes.add(reshape("1.30", """
                        {"inventories": {"%s": {"resource_provider_generation": %d,
                                                "inventories": {"%s": {"total": 1}}}},
                         "allocations": {}}""".formatted(gpu, generation, name)).extract().statusCode());
                as("1.39").delete("/resource_providers/" + gpu + "/inventories");
            }
            assertThat(deletions.get()).hasSize(rounds).isSubsetOf(204, 409);
        }
        assertThat(reshapes).hasSize(rounds).isSubsetOf(204, 400);
    }

    private static ValidatableResponse reshape(String version, String body) {
        return as(version).body(body).post("/reshaper").then();
    }

    private static ValidatableResponse usages(UUID provider) {
        return as("1.0").get("/resource_providers/" + provider + "/usages").then().statusCode(200);
    }

    private static RequestSpecification as(String version) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement " + version)
                .contentType("application/json");
    }
}
