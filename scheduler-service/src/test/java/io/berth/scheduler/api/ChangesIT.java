package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists changes of registry records through {@code /v1/changes}. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ChangesIT {
    private static RequestSpecification as(String user, String roles) {
        return given().header("x-auth-token", user).header("x-roles", roles).contentType("application/json");
    }

    @Test
    void listsTheChangesOfARecordWithUsersAndValuesNewestFirst() {
        UUID uuid = UUID.randomUUID();
        String path = "/v1/cells/" + uuid;
        as("alice", "admin").body("{\"name\":\"n-" + uuid + "\"}").put(path).then().statusCode(201);
        as("bob", "admin").body("{\"enabled\":false,\"name\":\"n-" + uuid + "\"}").put(path).then().statusCode(200);
        String request =
                as("alice", "admin").delete(path).then().statusCode(204).extract().header("x-openstack-request-id");
        as("admin", "admin").get("/v1/changes?about=" + uuid).then().statusCode(200)
                .body("changes.user_id", contains("alice", "bob", "alice"))
                .body("changes.what", everyItem(equalTo("cell n-" + uuid + " (" + uuid + ")")))
                .body("changes[0].request_id", equalTo(request))
                .body("changes[0].new", nullValue())
                .body("changes[1].old", equalTo("{\"name\":\"n-" + uuid + "\"}"))
                .body("changes[1].new", containsString("\"enabled\":false"))
                .body("changes[2].old", nullValue());
        as("admin", "admin").get("/v1/changes?user=bob&about=" + uuid).then().body("changes.size()", equalTo(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?since=yesterday", "?limit=0", "?marker=x", "?user=a&user=b"})
    void refusesInvalidQueries(String query) {
        as("admin", "admin").get("/v1/changes" + query).then().statusCode(400);
    }

    @Test
    void requiresTheAdminRole() {
        given().get("/v1/changes").then().statusCode(401);
        as("alice", "service").get("/v1/changes").then().statusCode(403);
    }
}
