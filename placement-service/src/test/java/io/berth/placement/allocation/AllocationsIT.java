package io.berth.placement.allocation;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.ProviderRows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the routes of allocations in all microversions. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class AllocationsIT {
    @Inject
    Pool pool;

    private UUID host;
    private final UUID vm = UUID.randomUUID();

    @BeforeEach
    void createHost() {
        host = aProvider().with("VCPU", 8).with("MEMORY_MB", 1024, 24).insert(pool);
    }

    // ---- forms by microversion

    @Test
    void acceptsAListAt1Dot0AndHidesTheConsumerBefore1Dot12() {
        put("1.0", vm, """
                {"allocations": [{"resource_provider": {"uuid": "%s"}, "resources": {"VCPU": 3}}]}""".formatted(host))
                .statusCode(204);
        show("1.11", vm)
                .body("allocations." + quoted(host) + ".resources.VCPU", equalTo(3))
                .body("allocations." + quoted(host) + ".generation", equalTo(1))
                .body("$", not(hasKey("project_id")));
        show("1.38", vm)
                .body("project_id", equalTo("00000000-0000-0000-0000-000000000000"))
                .body("user_id", equalTo("00000000-0000-0000-0000-000000000000"))
                .body("consumer_type", equalTo("unknown"));
    }

    @Test
    void requiresProjectAndUserFrom1Dot8() {
        String list = """
                {"allocations": [{"resource_provider": {"uuid": "%s"}, "resources": {"VCPU": 3}}]%s}""";
        put("1.8", vm, list.formatted(host, "")).statusCode(400)
                .body("errors[0].detail", containsString("'project_id' is a required property"));
        put("1.8", vm, list.formatted(host, ", \"project_id\": \"p\", \"user_id\": \"u\"")).statusCode(204);
        show("1.12", vm).body("project_id", equalTo("p")).body("user_id", equalTo("u"))
                .body("$", not(hasKey("consumer_generation")));
    }

    @Test
    void acceptsAMapFrom1Dot12AndRequiresAGenerationFrom1Dot28() {
        put("1.12", vm, claim("VCPU", 1, "")).statusCode(204);
        put("1.28", vm, claim("VCPU", 2, "")).statusCode(400)
                .body("errors[0].detail", containsString("'consumer_generation' is a required property"));
        put("1.28", vm, claim("VCPU", 2, ", \"consumer_generation\": 1")).statusCode(204);
        show("1.28", vm).body("consumer_generation", equalTo(2)).body("$", not(hasKey("consumer_type")));
    }

    @Test
    void validatesAndIgnoresMappingsFrom1Dot34() {
        String mapped = ", \"consumer_generation\": null, \"mappings\": {\"_1\": [\"%s\"]}";
        put("1.33", vm, claim("VCPU", 2, mapped.formatted(host))).statusCode(400);
        put("1.34", vm, claim("VCPU", 2, mapped.formatted("no uuid"))).statusCode(400);
        put("1.34", vm, claim("VCPU", 2, mapped.formatted(host))).statusCode(204);
        show("1.39", vm).body("$", not(hasKey("mappings")));
    }

    @Test
    void keepsTheConsumerTypeWhenAnOlderClientWrites() {
        put("1.38", vm, claim("VCPU", 1, ", \"consumer_generation\": null, \"consumer_type\": \"INSTANCE\""))
                .statusCode(204);
        put("1.28", vm, claim("VCPU", 2, ", \"consumer_generation\": 1")).statusCode(204);
        show("1.38", vm).body("consumer_type", equalTo("INSTANCE")).body("consumer_generation", equalTo(2));
        put("1.38", vm, claim("VCPU", 2, ", \"consumer_generation\": 2, \"consumer_type\": \"MIGRATION\""))
                .statusCode(204);
        show("1.38", vm).body("consumer_type", equalTo("MIGRATION"));
        put("1.38", vm, claim("VCPU", 2, ", \"consumer_generation\": 3, \"consumer_type\": \"instance\""))
                .statusCode(400)
                .body("errors[0].detail", containsString("'instance' does not match '^[A-Z0-9_]+$'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.12"})
    void doesNotSupportPostBefore1Dot13(String version) {
        as(version).body("{}").post("/allocations").then().statusCode(404);
    }

    @Test
    void sendsCacheHeadersFrom1Dot15() {
        show("1.14", vm).header("last-modified", nullValue());
        show("1.15", vm).header("last-modified", containsString("GMT")).header("cache-control", "no-cache");
        as("1.15").get("/resource_providers/" + host + "/allocations").then().header("cache-control", "no-cache");
    }

    // ---- replacing and deleting

    @Test
    void replacesAllAllocationsOfTheConsumer() {
        UUID other = aProvider().with("VCPU", 8).insert(pool);
        put("1.28", vm, claim("VCPU", 5, ", \"consumer_generation\": null")).statusCode(204);
        put("1.28", vm, """
                {"allocations": {"%s": {"resources": {"VCPU": 4}}}, "project_id": "p", "user_id": "u",
                 "consumer_generation": 1}""".formatted(other)).statusCode(204);
        show("1.28", vm)
                .body("allocations", not(hasKey(host.toString())))
                .body("allocations." + quoted(other) + ".resources.VCPU", equalTo(4));
        usages(host).body("usages.VCPU", equalTo(0)).body("resource_provider_generation", equalTo(1));
        usages(other).body("usages.VCPU", equalTo(4)).body("resource_provider_generation", equalTo(1));
    }

    @Test
    void deletesAllocationsAndThenReturns404() {
        put("1.28", vm, claim("VCPU", 5, ", \"consumer_generation\": null")).statusCode(204);
        as("1.28").delete("/allocations/" + vm).then().statusCode(204);
        usages(host).body("usages.VCPU", equalTo(0)).body("resource_provider_generation", equalTo(1));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        as("1.28").delete("/allocations/" + vm).then().statusCode(404)
                .body("errors[0].detail", containsString("No allocations for consumer '" + vm + "'"));
        as("1.28").delete("/allocations/no-uuid").then().statusCode(404);
        show("1.28", vm).body("allocations", anEmptyMap()).body("$", not(hasKey("consumer_generation")));
    }

    @Test
    void treatsEmptyAllocationsAsADeletionFrom1Dot28() {
        String empty = "{\"allocations\": {}, \"project_id\": \"p\", \"user_id\": \"u\"%s}";
        put("1.27", vm, empty.formatted("")).statusCode(400);
        put("1.28", vm, claim("VCPU", 5, ", \"consumer_generation\": null")).statusCode(204);
        put("1.28", vm, empty.formatted(", \"consumer_generation\": 1")).statusCode(204);
        usages(host).body("usages.VCPU", equalTo(0)).body("resource_provider_generation", equalTo(2));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
    }

    @Test
    void writesSeveralConsumersOrNone() {
        UUID other = UUID.randomUUID();
        String body = """
                {"%s": {"allocations": {"%s": {"resources": {"VCPU": 5}}}, "project_id": "p", "user_id": "u"},
                 "%s": {"allocations": {"%s": {"resources": {"VCPU": %d}}}, "project_id": "p", "user_id": "u"}}""";
        as("1.13").body(body.formatted(vm, host, other, host, 4)).post("/allocations").then().statusCode(409)
                .body("errors[0].detail", containsString("The requested amount would exceed the capacity"));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        assertThat(ProviderRows.generation(pool, host)).isZero();
        as("1.13").body(body.formatted(vm, host, other, host, 3)).post("/allocations").then().statusCode(204);
        as("1.28").get("/resource_providers/" + host + "/allocations").then()
                .body("allocations", hasKey(vm.toString())).body("allocations", hasKey(other.toString()))
                .body("allocations." + quoted(other) + ".consumer_generation", equalTo(1))
                .body("resource_provider_generation", equalTo(1));
    }

    // ---- refusals

    @Test
    void refusesMoreThanTheCapacityAndCreatesNoConsumer() {
        put("1.28", vm, claim("MEMORY_MB", 1001, ", \"consumer_generation\": null")).statusCode(409)
                .body(
                        "errors[0].detail",
                        containsString(
                                "Unable to allocate inventory: Unable to create allocation for "
                                        + "'MEMORY_MB' on resource provider '" + host
                                        + "'. The requested amount would exceed the capacity."));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
        put("1.28", vm, claim("MEMORY_MB", 1000, ", \"consumer_generation\": null")).statusCode(204);
    }

    @Test
    void refusesUnknownNames() {
        String unknown = UUID.randomUUID().toString();
        String body =
                "{\"allocations\": {\"%s\": {\"resources\": {\"%s\": 1}}}, \"project_id\": \"p\", \"user_id\": \"u\"}";
        put("1.12", vm, body.formatted(unknown, "VCPU")).statusCode(400).body(
                "errors[0].detail",
                containsString("Allocation for resource provider '" + unknown + "' that does not exist."));
        put("1.12", vm, body.formatted(host, "CUSTOM_PONY")).statusCode(400).body("errors[0].detail", containsString(
                "Unable to allocate inventory for consumer " + vm + ": No such resource class CUSTOM_PONY."));
        put("1.12", vm, body.formatted(host, "DISK_GB")).statusCode(409).body(
                "errors[0].detail",
                containsString("Inventory for 'DISK_GB' on resource provider '" + host + "' invalid."));
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
    }

    @Test
    void reportsTheExpectedGeneration() {
        put("1.28", vm, claim("VCPU", 1, ", \"consumer_generation\": 5")).statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"))
                .body("errors[0].detail", containsString("consumer generation conflict - expected null but got 5"));
        put("1.28", vm, claim("VCPU", 1, ", \"consumer_generation\": null")).statusCode(204);
        put("1.28", vm, claim("VCPU", 1, ", \"consumer_generation\": null")).statusCode(409)
                .body("errors[0].detail", containsString("expected 1 but got None"));
        put("1.28", vm, claim("VCPU", 1, ", \"consumer_generation\": 99999999999999999999999")).statusCode(409);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "[]", "null", "{", "{\"allocations\": 1}", "{\"allocations\": {\"x\": {}}}",
        "{\"allocations\": {\"------------------------------------\": {\"resources\": {\"VCPU\": 1}}},"
                + " \"project_id\": \"p\", \"user_id\": \"u\"}",
        "{\"allocations\": {}, \"project_id\": \"\\u0000\", \"user_id\": \"u\", \"consumer_generation\": null}"})
    void refusesInvalidBodies(String body) {
        put("1.28", vm, body).statusCode(400).body("errors[0].status", equalTo(400));
    }

    @Test
    void refusesHugeAmountsAsExceedingTheCapacity() {
        String tooMuch =
                "{\"allocations\": {\"%s\": {\"resources\": {\"VCPU\": %s}}}, \"project_id\": \"p\", "
                        + "\"user_id\": \"u\"}";
        put("1.12", vm, tooMuch.formatted(host, "99999999999999999999999999")).statusCode(409);
        put("1.12", vm, tooMuch.formatted(host, "9223372036854775807")).statusCode(409);
        put("1.12", vm, tooMuch.formatted(host, "0")).statusCode(400)
                .body("errors[0].detail", containsString("0 is less than the minimum of 1"));
    }

    @Test
    void refusesConsumersThatAreNotUuids() {
        as("1.28").body("{}").put("/allocations/no-uuid").then().statusCode(400)
                .body("errors[0].detail", containsString("Malformed consumer_uuid: no-uuid"));
        as("1.28").body("{\"------------------------------------\": {\"allocations\": {}, \"project_id\": \"p\","
                + " \"user_id\": \"u\", \"consumer_generation\": null}}").post("/allocations").then()
                .statusCode(400);
    }

    @Test
    void returns404ForAnUnknownProvider() {
        as("1.0").get("/resource_providers/" + vm + "/allocations").then().statusCode(404)
                .body("errors[0].detail", containsString("No resource provider with uuid " + vm + " found"));
        as("1.0").get("/resource_providers/" + vm + "/usages").then().statusCode(404);
    }

    @Test
    void allowsOnlyAdmins() {
        for (String path : new String[] {"/allocations/" + vm, "/resource_providers/" + host + "/usages",
            "/resource_providers/" + host + "/allocations"}) {
            given().header("x-auth-token", "nobody").get(path).then().statusCode(403);
        }
        given().header("x-auth-token", "nobody").delete("/allocations/" + vm).then().statusCode(403);
    }

    // ---- helpers

    private static RequestSpecification as(String version) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement " + version)
                .contentType("application/json");
    }

    private String claim(String resourceClass, int amount, String more) {
        return "{\"allocations\": {\"%s\": {\"resources\": {\"%s\": %d}}}, \"project_id\": \"p\", \"user_id\": \"u\"%s}"
                .formatted(host, resourceClass, amount, more);
    }

    private static ValidatableResponse put(String version, UUID consumer, String body) {
        return as(version).body(body).put("/allocations/" + consumer).then();
    }

    private static ValidatableResponse show(String version, UUID consumer) {
        return as(version).get("/allocations/" + consumer).then().statusCode(200);
    }

    private static ValidatableResponse usages(UUID provider) {
        return as("1.0").get("/resource_providers/" + provider + "/usages").then().statusCode(200);
    }

    private static String quoted(UUID uuid) {
        return "'" + uuid + "'";
    }
}
