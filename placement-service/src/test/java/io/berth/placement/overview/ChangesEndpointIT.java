package io.berth.placement.overview;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.newProvider;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code GET /berth/v1/changes} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ChangesEndpointIT {
    private static final String PATH = "/berth/v1/changes";

    private UUID host;

    @BeforeEach
    void makeAHost() {
        host = newProvider();
    }

    private void put(String part, String members) {
        at("1.39", "{\"resource_provider_generation\": " + generation() + ", " + members + "}")
                .put("/resource_providers/" + host + part).then().statusCode(200);
    }

    private int generation() {
        return at("1.39").get("/resource_providers/" + host).then().extract().path("generation");
    }

    private ValidatableResponse changes(String query) {
        return at("1.39").get(PATH + "?about=" + host + query).then().statusCode(200);
    }

    @Test
    void listsChangesOfAHostWithUserAndOldValueLatestFirst() {
        Instant before = Instant.now().minusSeconds(1);
        put("/inventories", "\"inventories\": {\"VCPU\": {\"total\": 8, \"allocation_ratio\": 4.0}}");
        put("/inventories/VCPU", "\"total\": 8, \"allocation_ratio\": 16.0");
        String request =
                at("1.39").delete("/resource_providers/" + host + "/inventories/VCPU").header("x-openstack-request-id");
        put("/traits", "\"traits\": [\"HW_CPU_X86_AVX\"]");
        changes("")
                .body("changes.what", contains(
                        "traits of host-" + host + " (" + host + ")",
                        "inventory VCPU of host-" + host + " (" + host + ")", "inventory VCPU of host-" + host + " ("
                                + host + ")", "inventory VCPU of host-" + host + " (" + host + ")"))
                .body("changes.user_id", everyItem(equalTo("admin")))
                .body("changes.project_id", everyItem(equalTo("admin")))
                .body("changes.time", everyItem(matchesPattern("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z")))
                .body("changes[1].request_id", equalTo(request))
                .body("changes[1].new", nullValue())
                .body("changes[2].old", containsString("\"allocation_ratio\":4.0"))
                .body("changes[2].new", containsString("\"allocation_ratio\":16.0"))
                .body("changes[3].old", nullValue())
                .body("changes_links", nullValue());
        changes("&since=" + before).body("changes.size()", equalTo(4));
        changes("&until=" + before).body("changes.size()", equalTo(0));
        changes("&user=nobody").body("changes.size()", equalTo(0));
    }

    @Test
    void returnsPages() {
        for (int total = 1; total <= 3; total++) {
            put("/inventories", "\"inventories\": {\"VCPU\": {\"total\": " + total + "}}");
        }
        ValidatableResponse first = changes("&limit=2").body("changes.size()", equalTo(2));
        String next = first.extract().path("changes_links[0].href");
        List<String> left = at("1.39").urlEncodingEnabled(false).get(PATH + next).then().statusCode(200)
                .body("changes_links", nullValue()).extract().path("changes.new");
        assertThat(left).hasSize(1).allMatch(value -> value.contains("\"total\":1,"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?users=a", "?since=yesterday", "?limit=0", "?marker=x", "?user=a&user=b"})
    void refusesInvalidQueries(String query) {
        at("1.39").get(PATH + query).then().statusCode(400)
                .body("errors[0].detail", containsString("Invalid query string parameters: "));
    }

    @Test
    void requiresTheAdminRole() {
        given().get(PATH).then().statusCode(401);
        given().header("x-auth-token", "alice").header("x-roles", "service").get(PATH).then().statusCode(403);
        given().header("x-auth-token", "alice").header("x-roles", "admin").get(PATH).then().statusCode(200);
    }
}
