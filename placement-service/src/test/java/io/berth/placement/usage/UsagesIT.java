package io.berth.placement.usage;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code GET /usages} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class UsagesIT {
    @Inject
    Pool pool;

    private final String project = "project-" + UUID.randomUUID();

    /** Claims for two instances of one user, a migration of another user, and a consumer of an old client. */
    @BeforeEach
    void createFourConsumers() {
        UUID host = aProvider().with("VCPU", 100).with("MEMORY_MB", 4096).insert(pool);
        claim(host, "u1", "INSTANCE", 4, 1024);
        claim(host, "u1", "INSTANCE", 2, 512);
        claim(host, "u2", "MIGRATION", 1, 256);
        as("1.12").body("""
                {"allocations": {"%s": {"resources": {"VCPU": 8}}}, "project_id": "%s", "user_id": "u2"}"""
                .formatted(host, project))
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    @Test
    void returns404Before1Dot9() {
        as("1.8").get("/usages?project_id=" + project).then().statusCode(404);
        as("1.9").get("/usages?project_id=" + project).then().statusCode(200);
    }

    @Test
    void sumsByClassUpTo1Dot37() {
        usages("1.37", "").body("usages", equalTo(Map.of("VCPU", 15, "MEMORY_MB", 1792)));
        usages("1.37", "&user_id=u1").body("usages", equalTo(Map.of("VCPU", 6, "MEMORY_MB", 1536)));
        usages("1.37", "&user_id=nobody").body("usages", anEmptyMap());
    }

    @Test
    void sumsByConsumerTypeFrom1Dot38AndCountsConsumers() {
        usages("1.38", "").body("usages", equalTo(Map.of(
                "INSTANCE", Map.of("VCPU", 6, "MEMORY_MB", 1536, "consumer_count", 2),
                "MIGRATION", Map.of("VCPU", 1, "MEMORY_MB", 256, "consumer_count", 1),
                "unknown", Map.of("VCPU", 8, "consumer_count", 1))));
        usages("1.38", "&user_id=u2").body("usages", equalTo(Map.of(
                "MIGRATION", Map.of("VCPU", 1, "MEMORY_MB", 256, "consumer_count", 1),
                "unknown", Map.of("VCPU", 8, "consumer_count", 1))));
    }

    @Test
    void filtersByConsumerTypeOrSumsAll() {
        usages("1.38", "&consumer_type=INSTANCE").body("usages", equalTo(
                Map.of("INSTANCE", Map.of("VCPU", 6, "MEMORY_MB", 1536, "consumer_count", 2))));
        usages("1.38", "&consumer_type=unknown").body("usages", equalTo(
                Map.of("unknown", Map.of("VCPU", 8, "consumer_count", 1))));
        usages("1.38", "&consumer_type=all").body("usages", equalTo(
                Map.of("all", Map.of("VCPU", 15, "MEMORY_MB", 1792, "consumer_count", 4))));
        usages("1.38", "&consumer_type=NONESUCH").body("usages", anEmptyMap());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?user_id=u", "?project_id=", "?project_id=p&pony=1", "?project_id=p&consumer_type=x",
        "?project_id=p%00", "?project_id=p&project_id="})
    void refusesInvalidQueries(String query) {
        as("1.38").get("/usages" + query).then().statusCode(400)
                .body("errors[0].detail", containsString("Invalid query string parameters"));
    }

    @Test
    void allowsReadersOfTheProjectOnly() {
        var reader = given().header("x-auth-token", "joe:" + project).header("x-roles", "reader")
                .header("openstack-api-version", "placement 1.38");
        reader.get("/usages?project_id=" + project).then().statusCode(200);
        reader.get("/usages?project_id=another").then().statusCode(403);
    }

    private void claim(UUID host, String user, String type, int vcpu, int memoryMb) {
        as("1.38").body("""
                {"allocations": {"%s": {"resources": {"VCPU": %d, "MEMORY_MB": %d}}}, "project_id": "%s", "user_id": "%s",
                 "consumer_generation": null,
                 "consumer_type": "%s"}""".formatted(host, vcpu, memoryMb, project, user, type))
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    private ValidatableResponse usages(String version, String more) {
        return as(version).get("/usages?project_id=" + project + more).then().statusCode(200);
    }

    private static RequestSpecification as(String version) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement " + version)
                .contentType("application/json").urlEncodingEnabled(false);
    }
}
