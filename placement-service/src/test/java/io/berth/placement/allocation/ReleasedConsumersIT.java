package io.berth.placement.allocation;

import static io.berth.placement.ProviderRows.aProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the route that lists consumers which released all their allocations. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ReleasedConsumersIT {
    @Inject
    Pool pool;

    private UUID host;

    @BeforeEach
    void createHost() {
        host = aProvider().with("VCPU", 4).insert(pool);
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.38")
                .contentType("application/json");
    }

    private int put(UUID consumer, int vcpus, Integer generation) {
        String amounts = vcpus == 0 ? "" : "\"%s\": {\"resources\": {\"VCPU\": %d}}".formatted(host, vcpus);
        return admin().body("""
                        {"allocations": {%s}, "project_id": "p", "user_id": "u", "consumer_generation": %s,
                         "consumer_type": "INSTANCE"}""".formatted(amounts, generation))
                .put("/allocations/" + consumer).statusCode();
    }

    private static String begin() {
        return admin().get("/berth/v1/released_consumers").then()
                .statusCode(200)
                .body("complete", equalTo(false))
                .body("consumers", empty())
                .extract().path("until");
    }

    private static JsonPath since(String until) {
        return admin().queryParam("since", until).get("/berth/v1/released_consumers").then()
                .statusCode(200)
                .extract().jsonPath();
    }

    private static List<UUID> released(String since) {
        JsonPath response = since(since);
        assertThat(response.getBoolean("complete")).isTrue();
        return response.getList("consumers", String.class).stream().map(UUID::fromString).toList();
    }

    @Test
    void listsConsumersThatReleasedAllAllocationsInAnyWay() {
        String start = begin();
        UUID deleted = UUID.randomUUID();
        UUID emptied = UUID.randomUUID();
        UUID handedOver = UUID.randomUUID();
        UUID changed = UUID.randomUUID();
        for (UUID consumer : List.of(deleted, emptied, handedOver, changed)) {
            assertThat(put(consumer, 1, null)).isEqualTo(204);
        }
        assertThat(released(start)).isEmpty();
        admin().delete("/allocations/" + deleted).then().statusCode(204);
        assertThat(put(emptied, 0, 1)).isEqualTo(204);
        UUID migration = UUID.randomUUID();
        String held = """
                "project_id": "p", "user_id": "u", "consumer_type": "INSTANCE\"""";
        admin().body("""
                        {"%s": {"allocations": {}, "consumer_generation": 1, %s},
                         "%s": {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "consumer_generation": null, %s}}"""
                .formatted(handedOver, held, migration, host, held))
                .post("/allocations").then().statusCode(204);
        String middle = since(start).getString("until");
        assertThat(put(changed, 2, 1)).isEqualTo(204);
        assertThat(released(start)).containsExactlyInAnyOrder(deleted, emptied, handedOver);
        assertThat(released(middle)).isEmpty();
        admin().delete("/allocations/" + changed).then().statusCode(204);
        assertThat(released(middle)).containsExactly(changed);
    }

    @Test
    void refusedClaimsReleaseNothing() {
        String start = begin();
        assertThat(put(UUID.randomUUID(), 5, null)).isEqualTo(409);
        assertThat(put(UUID.randomUUID(), 0, null)).as("an empty claim of a new consumer").isEqualTo(204);
        admin().delete("/allocations/" + UUID.randomUUID()).then().statusCode(404);
        assertThat(released(start)).isEmpty();
    }

    @Test
    void reportsThatTheListMayBeIncomplete() {
        String start = begin();
        UUID consumer = UUID.randomUUID();
        put(consumer, 1, null);
        admin().delete("/allocations/" + consumer).then().statusCode(204);
        assertThat(released(start)).containsExactly(consumer);
        store.prune(Duration.ZERO).await().atMost(Duration.ofMinutes(5));
        JsonPath response = since(start);
        assertThat(response.getMap("$")).containsAllEntriesOf(Map.of("complete", false, "consumers", List.of()));
        assertThat(released(response.getString("until"))).isEmpty();
        assertThat(since("1.1~" + start.substring(start.indexOf('~') + 1)).getBoolean("complete"))
                .as("of another server").isFalse();
    }

    @Inject
    ReleasedConsumerStore store;

    @ParameterizedTest
    @ValueSource(strings = {
        "", "x", "1.1~", "1.1~5:4:", "1.1~0:4:", "1.1~4:9:3", "1.1~4:9:9", "1.1~4:9:8,7", "1.1~4:9:5,",
        "1.1~99999999999999999999:1:", "1.1~1:1:'"})
    void refusesInvalidPositions(String until) {
        admin().queryParam("since", until).get("/berth/v1/released_consumers").then()
                .statusCode(400)
                .body("errors[0].detail", containsString("since must be the member until of an earlier response"));
    }

    @Test
    void requiresAToken() {
        given().get("/berth/v1/released_consumers").then().statusCode(401);
    }
}
