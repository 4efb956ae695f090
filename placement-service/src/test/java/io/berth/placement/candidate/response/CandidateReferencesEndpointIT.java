package io.berth.placement.candidate.response;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.placement.candidate.response.KnownTrees.OfTree;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@code GET /berth/v1/candidates} and {@code POST /berth/v1/provider_trees} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class CandidateReferencesEndpointIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String tag = UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final String resourceClass = "CUSTOM_" + tag;
    private final String query = "resources=" + resourceClass + ":1";
    private final String first = UUID.randomUUID().toString();
    private final String second = UUID.randomUUID().toString();
    private final KnownTrees client = new KnownTrees();

    @BeforeEach
    void makeTwoHosts() {
        admin().put("/resource_classes/" + resourceClass).then().statusCode(201);
        host(first);
        host(second);
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.36")
                .contentType("application/json").urlEncodingEnabled(false);
    }

    private void host(String uuid) {
        admin().body(Map.of("name", uuid, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        admin()
                .body(Map.of(
                        "resource_provider_generation", 0, "inventories", Map.of(resourceClass, Map.of("total", 2))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
    }

    private static ValidatableResponse ask(String query) {
        return admin().get("/berth/v1/candidates?" + query).then();
    }

    private static JsonNode references(String query) {
        return json(ask(query).statusCode(200).extract().asString());
    }

    private static ValidatableResponse askForTrees(String body) {
        return admin().body(body).post("/berth/v1/provider_trees").then();
    }

    private static JsonNode trees(List<Long> ids) {
        return json(askForTrees("{\"ids\": " + ids + "}").statusCode(200).extract().asString()).get("trees");
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<OfTree> expanded(JsonNode answer) {
        return client.expand(answer, CandidateReferencesEndpointIT::trees);
    }

    private static List<OfTree> plain(String query) {
        return KnownTrees.grouped(json(admin().get("/allocation_candidates?" + query).then().statusCode(200)
                .extract().asString()));
    }

    private static String after(JsonNode answer) {
        return "&after=" + answer.get("replica").textValue() + "." + answer.get("position");
    }

    private void claim(String host) {
        admin()
                .body(Map.of(
                        "allocations", Map.of(host, Map.of("resources", Map.of(resourceClass, 1))),
                        "project_id", "p", "user_id", "u"))
                .header("openstack-api-version", "placement 1.12")
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    @Test
    void returnsReferencesAndThenOnlyTheTreesThatChanged() {
        ask(query).statusCode(200).contentType("application/json").header("cache-control", "no-cache")
                .body("parts", equalTo(List.of(Map.of("group", "", "resources", Map.of(resourceClass, 1)))))
                .body("classes", equalTo(List.of(resourceClass))).body("requests", hasSize(0))
                .body("changed", hasSize(0));
        JsonNode answer = references(query);
        assertThat(expanded(answer)).hasSize(2).isEqualTo(plain(query));
        assertThat(client.asked()).isEqualTo(2);
        claim(first);
        JsonNode next = references(query + after(answer));
        assertThat(next.get("position").longValue()).isGreaterThan(answer.get("position").longValue());
        assertThat(expanded(next)).hasSize(2).isEqualTo(plain(query));
        claim(second);
        claim(second);
        // This replica cannot use a position of another replica.
        assertThat(expanded(references("after=another.5&" + query))).hasSize(1).isEqualTo(plain(query));
        assertThat(client.asked()).as("fetched trees").isEqualTo(2);
        assertThat(references(query + "&in_tree=" + UUID.randomUUID() + after(answer)).get("changed")).isNotEmpty();
    }

    @Test
    void omitsATreeThatWasDeletedBeforeItIsFetched() {
        JsonNode answer = references(query);
        List<Long> fetched = new ArrayList<>();
        client.expand(answer, ids -> {
            fetched.addAll(ids);
            return trees(ids);
        });
        admin().delete("/resource_providers/" + first).then().statusCode(204);
        assertThat(fetched).hasSize(2);
        JsonNode left = json(askForTrees("{\"ids\": [" + fetched.get(0) + "," + fetched.get(1) + "," + fetched.get(1)
                + ",-1,9223372036854775807]}").statusCode(200).extract().asString());
        assertThat(left.get("replica")).isEqualTo(answer.get("replica"));
        assertThat(left.get("position").longValue()).isGreaterThan(answer.get("position").longValue());
        assertThat(left.get("trees").findValuesAsText("uuid")).containsExactly(second);
        assertThat(expanded(references(query + after(answer)))).extracting(OfTree::root).containsExactly(second);
    }

    @Test
    void changesTreeVersionsWhenAResourceClassIsRenamed() {
        JsonNode before = references(query);
        expanded(before);
        admin().header("openstack-api-version", "placement 1.2")
                .body(Map.of("name", "CUSTOM_NEW_" + tag)).put("/resource_classes/" + resourceClass)
                .then().statusCode(200);
        String renamed = "resources=CUSTOM_NEW_" + tag + ":1";
        assertThat(expanded(references(renamed + after(before)))).hasSize(2).isEqualTo(plain(renamed));
        ask(query).statusCode(400).body("errors[0].detail", containsString("No such resource class"));
    }

    @Test
    void refusesQueriesThatThePlainRouteRefuses() {
        ask("resources=CUSTOM_NOBODY:1").statusCode(400)
                .body("errors[0].detail", containsString("No such resource class CUSTOM_NOBODY."));
        ask(query + "&bogus=1").statusCode(400).body("errors[0].detail", containsString("'bogus' does not match"));
        ask("after=a.1").statusCode(400);
        ask(query + "&after=a").statusCode(400).body("errors[0].detail", containsString("after must be"));
        given().header("x-auth-token", "user").get("/berth/v1/candidates?" + query).then().statusCode(403);
        given().get("/berth/v1/candidates?" + query).then().statusCode(401);
        admin().post("/berth/v1/candidates").then().statusCode(405).header("allow", equalTo("GET"));
    }

    @Test
    void refusesBodiesThatAreNotAListOfIds() {
        for (String body : List.of(
                "", "[]", "{}", "{\"ids\": 1}", "{\"ids\": [\"1\"]}", "{\"ids\": [1.5]}", "{\"ids\": [1], \"x\": 1}",
                "{\"ids\": [99999999999999999999]}", "{\"ids\": [1]} {}", "{\"ids\": [1", "{\"ids\": [[1]]}")) {
            int status = askForTrees(body).extract().statusCode();
            assertThat(status).as(body).isEqualTo(400);
        }
        askForTrees(ids(10_000)).statusCode(200);
        askForTrees(ids(10_001)).statusCode(400).body("errors[0].detail", containsString("at most 10000"));
        askForTrees("{\"ids\": [1" + " ".repeat(5 << 20) + "]}").statusCode(413);
        given().header("x-auth-token", "user").contentType("application/json").body(ids(1))
                .post("/berth/v1/provider_trees").then().statusCode(403);
        given().contentType("application/json").body(ids(1)).post("/berth/v1/provider_trees").then().statusCode(401);
        given().header("x-auth-token", "admin").contentType("text/plain").body(ids(1))
                .post("/berth/v1/provider_trees").then().statusCode(415);
        admin().get("/berth/v1/provider_trees").then().statusCode(405).header("allow", equalTo("POST"));
    }

    /** Returns a body with ids of roots that may not exist. */
    private static String ids(int count) {
        return LongStream.rangeClosed(1, count).mapToObj(Long::toString)
                .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
    }

    @Test
    void usesTheLatestMicroversionWhateverTheClientNames() {
        given().header("x-auth-token", "admin").urlEncodingEnabled(false)
                .get("/berth/v1/candidates?" + query + "&required=in:HW_CPU_X86_AVX,HW_CPU_X86_AVX2")
                .then().statusCode(200).body("trees", equalTo(""));
    }
}
