package io.berth.placement.allocation;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the route that returns which of the given consumers hold allocations. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class HoldingConsumersIT {
    private static final String PATH = "/berth/v1/holding_consumers";

    @Inject
    Pool pool;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.38")
                .contentType("application/json");
    }

    private static List<UUID> holding(List<UUID> given) {
        String body =
                given.stream().map(UUID::toString).collect(Collectors.joining("\",\"", "{\"consumers\":[\"", "\"]}"));
        return admin().body(body).post(PATH).then().statusCode(200)
                .extract().jsonPath().getList("holding", String.class).stream().map(UUID::fromString).toList();
    }

    @Test
    void returnsEachHoldingConsumerOnce() {
        UUID host = aProvider().with("VCPU", 4).with("MEMORY_MB", 64).insert(pool);
        UUID holds = UUID.randomUUID();
        UUID gone = UUID.randomUUID();
        for (UUID consumer : List.of(holds, gone)) {
            admin().body("""
                            {"allocations": {"%s": {"resources": {"VCPU": 1, "MEMORY_MB": 8}}}, "project_id": "p",
                             "user_id": "u", "consumer_generation": null, "consumer_type": "INSTANCE"}""".formatted(host))
                    .put("/allocations/" + consumer).then().statusCode(204);
        }
        admin().delete("/allocations/" + gone).then().statusCode(204);

        assertThat(holding(List.of(gone, holds, UUID.randomUUID(), holds))).containsExactly(holds);
        admin().body("{\"consumers\":[]}").post(PATH).then().statusCode(200);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "[]                               | the body must be an object",
        "{}                               | the body must be an object",
        "{'consumers': {}}                | the body must be an object",
        "{'consumers': [], 'more': 1}     | the body must be an object",
        "{'consumers': [1]}               | must be a uuid, not 1",
        "{'consumers': [null]}            | must be a uuid, not null",
        "{'consumers': ['x']}             | must be a uuid, not \"x\"",
        "{'consumers': [                  | JSON"})
    void refusesInvalidBodies(String body, String why) {
        admin().body(body.replace('\'', '"')).post(PATH).then()
                .statusCode(400)
                .body("errors[0].detail", containsString(why));
    }

    @Test
    void refusesMoreThanAThousandConsumersAndOtherCallers() {
        String one = "\"" + UUID.randomUUID() + "\"";
        String many = "{\"consumers\":[" + String.join(",", Collections.nCopies(1_001, one)) + "]}";
        admin().body(many).post(PATH).then().statusCode(400).body("errors[0].detail", containsString("1000"));
        given().contentType("application/json").body("{\"consumers\":[]}").post(PATH).then().statusCode(401);
        given().header("x-auth-token", "user").contentType("application/json").body("{\"consumers\":[]}").post(PATH)
                .then().statusCode(403);
    }
}
