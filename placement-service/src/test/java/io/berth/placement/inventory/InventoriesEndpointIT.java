package io.berth.placement.inventory;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.generation;
import static io.berth.placement.CatalogueApi.newProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the routes of a provider's inventories over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class InventoriesEndpointIT {
    private UUID provider;
    private String path;

    @BeforeEach
    void aProvider() {
        provider = newProvider();
        path = "/resource_providers/" + provider + "/inventories";
    }

    @Test
    void returnsNoInventoriesAndNoTimeAtFirst() {
        at("1.15").get(path).then().statusCode(200)
                .header("last-modified", nullValue()).header("cache-control", "no-cache")
                .body("resource_provider_generation", equalTo(0)).body("inventories", anEmptyMap());
    }

    @Test
    void appliesDefaultsToMissingMembers() {
        at("1.39", "{\"resource_class\": \"VCPU\", \"total\": 16}").post(path).then()
                .statusCode(201)
                .header("location", endsWith(path + "/VCPU"))
                .header("last-modified", endsWith("GMT"))
                .body("$", equalTo(Map.of(
                        "total", 16, "reserved", 0, "min_unit", 1, "max_unit", Integer.MAX_VALUE, "step_size", 1,
                        "allocation_ratio", 1.0f, "resource_provider_generation", 1)));
        at("1.14").get(path + "/VCPU").then().statusCode(200)
                .header("last-modified", nullValue())
                .body("total", equalTo(16)).body("resource_provider_generation", equalTo(1));
    }

    @Test
    void incrementsTheGenerationPerChangeButNotPerRefusal() {
        put(0, "\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 100}").statusCode(200);
        assertThat(generation(provider)).isEqualTo(1);
        put(1, "\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 100}").statusCode(200);
        assertThat(generation(provider)).isEqualTo(2);
        at("1.39", "{\"resource_class\": \"VGPU\", \"total\": 1}").post(path).then().statusCode(201);
        assertThat(generation(provider)).isEqualTo(3);
        at("1.39", "{\"total\": 9, \"resource_provider_generation\": 3}").put(path + "/VCPU").then().statusCode(200)
                .body("total", equalTo(9)).body("resource_provider_generation", equalTo(4));
        at("1.39").delete(path + "/VGPU").then().statusCode(204);
        assertThat(generation(provider)).isEqualTo(5);
        at("1.39").delete(path).then().statusCode(204);
        assertThat(generation(provider)).isEqualTo(6);
        at("1.39").delete(path).then().statusCode(204);
        assertThat(generation(provider)).isEqualTo(7);

        put(6, "\"VCPU\": {\"total\": 8}").statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"))
                .body("errors[0].detail", containsString("resource provider generation conflict"));
        put(7, "\"CUSTOM_NOTHING\": {\"total\": 8}").statusCode(400)
                .body("errors[0].detail", containsString("No such resource class CUSTOM_NOTHING."));
        assertThat(generation(provider)).isEqualTo(7);
    }

    @Test
    void replacesAllInventories() {
        put(0, "\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 100}").statusCode(200);
        put(1, "\"VCPU\": {\"total\": 4}, \"MEMORY_MB\": {\"total\": 512}").statusCode(200);
        at("1.39").get(path).then()
                .body("inventories.VCPU.total", equalTo(4))
                .body("inventories.MEMORY_MB.total", equalTo(512))
                .body("inventories", not(hasKey("DISK_GB")));
    }

    @ParameterizedTest(name = "reserved {0} of 10 at ratio {1}: {2} at 1.25, {3} at 1.26")
    @CsvSource({
        "9,  1.0,  200, 200",
        "10, 1.0,  400, 200",
        "11, 1.0,  400, 400",
        "0,  0.0,  400, 200",
        "0,  0.09, 400, 200",
        "0,  0.1,  200, 200",
        "0,  -1.0, 400, 400",
        "11, 0.5,  400, 200"})
    void allowsToReserveEverythingFrom1Dot26(int reserved, double ratio, int before, int since) {
        String inventories = "{\"resource_provider_generation\": %d, \"inventories\": {\"VCPU\": "
                + "{\"total\": 10, \"reserved\": " + reserved + ", \"allocation_ratio\": " + ratio + "}}}";
        at("1.25", inventories.formatted(0)).put(path).then().statusCode(before);
        at("1.26", inventories.formatted(before == 200 ? 1 : 0)).put(path).then().statusCode(since);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "\"total\": 0 | 0 is less than the minimum of 1 Failed validating 'minimum' in schema['properties']['total']",
        "\"total\": 2147483648 | 2147483648 is greater than the maximum of 2147483647",
        "\"total\": 1, \"reserved\": -1 | -1 is less than the minimum of 0",
        "\"total\": 1, \"min_unit\": 0 | 0 is less than the minimum of 1",
        "\"total\": 1, \"max_unit\": 0 | 0 is less than the minimum of 1",
        "\"total\": 1, \"step_size\": 0 | 0 is less than the minimum of 1",
        "\"total\": 1, \"allocation_ratio\": 1e39 | is greater than the maximum of",
        "\"total\": 1, \"allocation_ratio\": -1e39 | is less than the minimum of",
        "\"total\": 1, \"reserved\": 1, \"allocation_ratio\": -1e400 | is less than the minimum of",
        "\"total\": \"1\" | '1' is not of type",
        "\"total\": 1.5 | 1.5 is not of type",
        "\"total\": true | true is not of type",
        "\"total\": 1, \"house_music\": 1 | Additional properties are not allowed ('house_music'",
        "\"reserved\": 1 | 'total' is a required property"})
    void refusesValuesOutOfRange(String values, String why) {
        at("1.39", "{\"resource_class\": \"VCPU\", " + values + "}").post(path).then().statusCode(400)
                .body("errors[0].detail", containsString(why));
        put(0, "\"VCPU\": {" + values + "}").statusCode(400);
        assertThat(generation(provider)).isZero();
    }

    @Test
    void acceptsWholeNumbersWrittenAsFractions() {
        at("1.39", "{\"resource_class\": \"VCPU\", \"total\": 16.0}").post(path).then().statusCode(201)
                .body("total", equalTo(16));
        at("1.39", "{\"total\": 8, \"resource_provider_generation\": 1.0}").put(path + "/VCPU").then().statusCode(200);
    }

    @Test
    void refusesToCreateTwiceOrToUpdateWhatIsMissing() {
        at("1.39", "{\"resource_class\": \"VCPU\", \"total\": 1}").post(path).then().statusCode(201);
        at("1.39", "{\"resource_class\": \"VCPU\", \"total\": 2}").post(path).then().statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"));
        at("1.39", "{\"resource_class\": \"CUSTOM_NOTHING\", \"total\": 2}").post(path).then().statusCode(400);
        at("1.39", "{\"total\": 2, \"resource_provider_generation\": 1}").put(path + "/VGPU").then().statusCode(400)
                .body("errors[0].detail", containsString("No inventory of class VGPU found."));
        at("1.39", "{\"total\": 2, \"resource_provider_generation\": 1}").put(path + "/CUSTOM_NOTHING").then()
                .statusCode(404);
        at("1.39").get(path + "/VGPU").then().statusCode(404);
        at("1.39").delete(path + "/VGPU").then().statusCode(404);
        at("1.39").delete(path + "/CUSTOM_NOTHING").then().statusCode(404);
        assertThat(generation(provider)).isEqualTo(1);
    }

    @Test
    void keepsInventoriesInUseButAllowsOvercommit() {
        put(0, "\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 100}").statusCode(200);
        claim(UUID.randomUUID(), 6).statusCode(204);
        int now = generation(provider);
        String inUse = "Inventory for 'VCPU' on resource provider '" + provider + "' in use.";
        at("1.39").delete(path).then().statusCode(409)
                .body("errors[0].code", equalTo("placement.inventory.inuse"))
                .body("errors[0].detail", containsString(inUse));
        at("1.39").delete(path + "/VCPU").then().statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"))
                .body("errors[0].detail", containsString(inUse));
        put(now, "\"DISK_GB\": {\"total\": 100}").statusCode(409)
                .body("errors[0].code", equalTo("placement.inventory.inuse"));
        put(now, "\"VCPU\": {\"total\": 4}").statusCode(200).body("inventories.VCPU.total", equalTo(4));
        at("1.39").get("/resource_providers/" + provider + "/usages").then().body("usages", equalTo(Map.of("VCPU", 6)));
    }

    /** The state is that after an incomplete restore or import. */
    @ParameterizedTest(name = "PUT: {0}")
    @ValueSource(booleans = {true, false})
    void countsExistingAllocationsOfANewInventory(boolean all) {
        UUID vm = UUID.randomUUID();
        put(0, "\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 100}").statusCode(200);
        claim(vm, 5).statusCode(204);
        claim(UUID.randomUUID(), 1).statusCode(204);
        PostgresForTests.run(PostgresForTests.url(), """
                DELETE FROM placement.inventories i USING placement.resource_providers p
                 WHERE p.id = i.provider_id AND p.uuid = '%s'""".formatted(provider));
        if (all) {
            put(generation(provider), "\"VCPU\": {\"total\": 8}, \"DISK_GB\": {\"total\": 100}").statusCode(200);
        } else {
            at("1.39", "{\"resource_class\": \"VCPU\", \"total\": 8}").post(path).then().statusCode(201);
        }
        String usages = "/resource_providers/" + provider + "/usages";
        at("1.39").get(usages).then().body("usages.VCPU", equalTo(6));
        claim(UUID.randomUUID(), 3).statusCode(409);
        at("1.39").delete(path + "/VCPU").then().statusCode(409);
        at("1.39").delete("/allocations/" + vm).then().statusCode(204);
        at("1.39").get(usages).then().body("usages.VCPU", equalTo(1));
    }

    private ValidatableResponse claim(UUID consumer, int vcpus) {
        return at("1.12", """
                {"allocations": {"%s": {"resources": {"VCPU": %d}}}, "project_id": "p", "user_id": "u"}"""
                .formatted(provider, vcpus))
                .put("/allocations/" + consumer).then();
    }

    @Test
    void deletesAllInventoriesFrom1Dot5() {
        at("1.4").delete(path).then().statusCode(405);
        at("1.5").delete(path).then().statusCode(204);
    }

    @Test
    void returns404ForAnUnknownProvider() {
        String none = "/resource_providers/" + UUID.randomUUID() + "/inventories";
        at("1.39").get(none).then().statusCode(404);
        at("1.39").get(none + "/VCPU").then().statusCode(404);
        at("1.39").delete(none).then().statusCode(404);
        at("1.39").delete(none + "/VCPU").then().statusCode(404);
        at("1.39", "{\"resource_class\": \"VCPU\", \"total\": 1}").post(none).then().statusCode(404);
        at("1.39", "{\"resource_provider_generation\": 0, \"inventories\": {}}").put(none).then().statusCode(404);
        at("1.39", "{\"resource_provider_generation\": 0, \"total\": 1}").put(none + "/VCPU").then().statusCode(404);
    }

    @Test
    void acceptsOneOfManyWritersOfOneGeneration() throws Exception {
        List<Callable<Integer>> writers = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            int total = i;
            writers.add(() -> put(0, "\"VCPU\": {\"total\": " + total + "}").extract().statusCode());
        }
        List<Integer> statuses = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(writers.size())) {
            for (Future<Integer> answer : threads.invokeAll(writers)) {
                statuses.add(answer.get());
            }
        }
        assertThat(statuses.stream().filter(status -> status == 200)).hasSize(1);
        assertThat(statuses.stream().filter(status -> status == 409)).hasSize(7);
        assertThat(generation(provider)).isEqualTo(1);
    }

    private ValidatableResponse put(int generation, String inventories) {
        return at(
                "1.39",
                "{\"resource_provider_generation\": " + generation + ", \"inventories\": {" + inventories + "}}")
                .put(path).then();
    }

    /** Concurrent deletions of entities through sessions would get each other's results, and most would never end. */
    @Test
    void replacesInventoriesOfManyProvidersConcurrently() {
        int writers = 8;
        int changes = 40;
        Callable<List<Integer>> replacing = () -> {
            String inventories = "/resource_providers/" + newProvider() + "/inventories";
            List<Integer> statuses = new ArrayList<>();
            for (int generation = 0; generation < changes; generation++) {
                String only = generation % 2 == 0 ? "VCPU" : "DISK_GB";
                statuses.add(at("1.39", """
                        {"resource_provider_generation": %d, "inventories": {"%s": {"total": 10}}}"""
                        .formatted(generation, only))
                        .put(inventories).statusCode());
            }
            return statuses;
        };
        try (var pool = Executors.newFixedThreadPool(writers)) {
            List<Future<List<Integer>>> all = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                all.add(pool.submit(replacing));
            }
            assertThat(all).allSatisfy(one -> assertThat(one.get()).hasSize(changes).containsOnly(200));
        }
    }
}
