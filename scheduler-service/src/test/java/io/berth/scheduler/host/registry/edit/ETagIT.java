package io.berth.scheduler.host.registry.edit;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code ETag} and {@code If-Match} of registered records. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ETagIT {
    private static final String GROUP = "{\"policy\":\"affinity\"}";

    private final String path = "/v1/server_groups/" + UUID.randomUUID();

    @TestHTTPResource("/")
    URI root;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private static RequestSpecification admin(String ifMatch) {
        return admin().header("If-Match", ifMatch);
    }

    @Test
    void returnsTheVersionAndRefusesStaleTags() {
        admin().body(GROUP).put(path).then().statusCode(201).header("ETag", "\"0\"");
        admin().get(path).then().statusCode(200).header("ETag", "\"0\"");
        admin("\"0\"").body(GROUP.replace("aff", "anti-aff")).put(path).then().statusCode(200).header("ETag", "\"1\"");
        // This tag is stale.
        admin("\"0\"").body(GROUP).put(path).then()
                .statusCode(412)
                .body("errors[0].code", equalTo("scheduler.precondition_failed"));
        admin("\"0\"").delete(path).then().statusCode(412);
        admin("W/\"1\"").delete(path).then().statusCode(412);
        admin("\"none-of-ours\"").delete(path).then().statusCode(412);
        admin().get(path).then().statusCode(200).header("ETag", "\"1\"").body("policy", equalTo("anti-affinity"));
        admin("\"0\", \"1\"").delete(path).then().statusCode(204);
        admin("\"1\"").delete(path).then().statusCode(404);
    }

    @Test
    void anAsteriskMatchesOnlyExistingRecords() {
        admin("*").body(GROUP).put(path).then().statusCode(412);
        admin("\"0\"").body(GROUP).put(path).then().statusCode(412);
        admin().get(path).then().statusCode(404);
        admin().body(GROUP).put(path).then().statusCode(201);
        admin("*").body(GROUP.replace("aff", "anti-aff")).put(path).then().statusCode(200);
        admin("*").delete(path).then().statusCode(204);
    }

    @Test
    void checksBothTheHeaderAndTheVersionInTheBody() {
        admin().body(GROUP).put(path).then().statusCode(201);
        admin("\"0\"").body("{\"policy\":\"affinity\",\"version\":3}").put(path).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        admin("\"3\"").body("{\"policy\":\"affinity\",\"version\":0}").put(path).then().statusCode(412);
    }

    @Test
    void refusesToDeleteAnInstanceThatChanged() {
        String instance = "/v1/instances/" + UUID.randomUUID();
        admin().body("{\"host\":\"h\"}").put(instance).then().statusCode(201);
        admin().body("{\"host\":\"i\"}").put(instance).then().statusCode(200).header("ETag", "\"1\"");
        admin("\"0\"").delete(instance).then()
                .statusCode(412)
                .body("errors[0].code", equalTo("scheduler.precondition_failed"));
        admin().get(instance).then().statusCode(200).body("host", equalTo("i"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "\"0", "*, \"0\""})
    void refusesTagsWithoutQuotes(String header) {
        admin(header).body(GROUP).put(path).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith("If-Match: must be *, or tags in quotes"));
        admin(header).delete(path).then().statusCode(400);
    }

    @Test
    void onlyOneOfSeveralConcurrentWritersSucceeds() {
        admin().body(GROUP).put(path).then().statusCode(201);
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest write = HttpRequest.newBuilder(root.resolve(path))
                    .header("x-auth-token", "admin")
                    .header("content-type", "application/json")
                    .header("if-match", "\"0\"")
                    .timeout(Duration.ofMinutes(5))
                    .PUT(HttpRequest.BodyPublishers.ofString(GROUP.replace("aff", "anti-aff")))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> writes = IntStream.range(0, 16)
                    .mapToObj(i -> http.sendAsync(write, HttpResponse.BodyHandlers.ofString()))
                    .toList();
            List<Integer> statuses = writes.stream().map(response -> response.join().statusCode()).sorted().toList();
            assertThat(statuses.getFirst()).isEqualTo(200);
            assertThat(statuses.subList(1, 16)).containsOnly(412);
        }
        admin().get(path).then().header("ETag", "\"1\"");
    }
}
