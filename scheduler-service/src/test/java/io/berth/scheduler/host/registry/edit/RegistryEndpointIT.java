package io.berth.scheduler.host.registry.edit;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
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
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Creates, reads, replaces, deletes and lists registered records over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RegistryEndpointIT {
    @TestHTTPResource("/")
    URI root;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    @Test
    void createsReadsReplacesAndDeletesARecord() {
        String path = "/v1/cells/" + UUID.randomUUID();
        String name = "cell-" + UUID.randomUUID();
        admin().body("{\"name\":\"" + name + "\"}").put(path).then()
                .statusCode(201)
                .body("name", equalTo(name))
                .body("version", equalTo(0));
        admin().body("{\"name\":\"" + name + "\",\"enabled\":false,\"version\":0}").put(path).then()
                .statusCode(200)
                .body("version", equalTo(1));
        admin().get(path).then().statusCode(200).body("enabled", equalTo(false));
        admin().delete(path).then().statusCode(204);
        admin().get(path).then().statusCode(404).body("errors[0].code", equalTo("scheduler.not_found"));
        admin().delete(path).then().statusCode(404);
    }

    /**
     * Each deletion has its own connection and event loop. The benchmark in deploy/bench found that some got no
     * response.
     */
    @Test
    void deletesManyRecordsOfACollectionAtTheSameTime() {
        List<URI> groups = IntStream.range(0, 64)
                .mapToObj(i -> root.resolve("/v1/server_groups/" + UUID.randomUUID()))
                .toList();
        groups.forEach(uri -> admin().body("{\"policy\":\"affinity\"}").put(uri).then().statusCode(201));
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var deletions = groups.stream()
                    .map(uri -> HttpRequest.newBuilder(uri)
                            .header("x-auth-token", "admin")
                            .timeout(Duration.ofMinutes(5))
                            .DELETE()
                            .build())
                    .map(request -> http.sendAsync(request, HttpResponse.BodyHandlers.discarding()))
                    .toList();
            assertThat(deletions).allSatisfy(
                    response -> assertThat(response.join().statusCode()).isEqualTo(204));
        }
    }

    /**
     * Both requests find no record and insert it; one of them then finds the other's record. Few pairs are sent at a
     * time, because a request that waits too long for a connection to the database is refused.
     */
    @Test
    void concurrentPutsOfANewRecordBothSucceed() {
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int round = 0; round < 20; round++) {
                putTenNewRecordsTwice(http);
            }
        }
    }

    private void putTenNewRecordsTwice(HttpClient http) {
        var puts = IntStream.range(0, 10)
                .mapToObj(i -> root.resolve("/v1/compute_nodes/" + UUID.randomUUID()))
                .flatMap(uri -> Stream.of(uri, uri))
                .map(uri -> HttpRequest.newBuilder(uri)
                        .header("x-auth-token", "admin").header("content-type", "application/json")
                        .timeout(Duration.ofMinutes(5))
                        .PUT(HttpRequest.BodyPublishers.ofString("{\"host\":\"" + uri.getPath() + "\"}"))
                        .build())
                .map(request -> http.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .toList();
        for (int i = 0; i < puts.size(); i += 2) {
            var both = List.of(puts.get(i).join(), puts.get(i + 1).join());
            assertThat(both).extracting(HttpResponse::statusCode)
                    .as(both + both.getFirst().body() + both.getLast().body())
                    .containsExactlyInAnyOrder(200, 201);
        }
    }

    @Test
    void refusesToRenameAHostWithInstances() {
        String uuid = UUID.randomUUID().toString();
        String node = "/v1/compute_nodes/" + uuid;
        String name = "host-" + uuid;
        admin().body("{\"host\":\"" + name + "\"}").put(node).then().statusCode(201);
        String instance = "/v1/instances/" + UUID.randomUUID();
        admin().body("{\"host\":\"" + name + "\"}").put(instance).then().statusCode(201);
        for (String other : List.of(name + "-new", name.toUpperCase(Locale.ROOT))) {
            admin().body("{\"host\":\"" + other + "\"}").put(node).then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.conflict"))
                    .body("errors[0].detail", containsString("is host " + name))
                    .body("errors[0].detail", containsString("if it were host " + other));
            admin().body("{\"compute_nodes\":[{\"uuid\":\"" + uuid + "\",\"host\":\"" + other + "\"}]}")
                    .put("/v1/compute_nodes").then().statusCode(409);
        }
        admin().delete(instance).then().statusCode(204);
        admin().body("{\"host\":\"" + name + "-new\"}").put(node).then().statusCode(200);
    }

    @Test
    void refusesAHostThatDiffersFromARegisteredOneByCaseAlone() {
        String uuid = UUID.randomUUID().toString();
        String name = "host-" + uuid;
        String other = "HOST-" + uuid;
        admin().body("{\"host\":\"" + name + "\"}").put("/v1/compute_nodes/" + uuid).then().statusCode(201);
        admin().body("{\"host\":\"" + other + "\"}").put("/v1/services/" + uuid).then()
                .statusCode(409)
                .body("errors[0].detail", containsString("did you mean " + name));
        admin().body("{\"name\":\"" + name + "\",\"hosts\":[\"" + other + "\"]}").put("/v1/host_aggregates/" + uuid)
                .then()
                .statusCode(409)
                .body("errors[0].detail", containsString("did you mean " + name));
        admin().body("{\"host\":\"" + name + "\"}").put("/v1/services/" + uuid).then().statusCode(201);
    }

    @Test
    void refusesAVersionThatDiffersFromTheStoredOne() {
        String path = "/v1/server_groups/" + UUID.randomUUID();
        admin().body("{\"policy\":\"affinity\",\"version\":3}").put(path).then().statusCode(409);
        admin().body("{\"policy\":\"affinity\"}").put(path).then().statusCode(201);
        admin().body("{\"policy\":\"anti-affinity\",\"version\":7}").put(path).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        admin().get(path).then().body("policy", equalTo("affinity"));
    }

    @Test
    void aWriteReplacesTheMembersOfAServerGroup() {
        // The uuid sorts to the end, so the group is on the first page in descending order.
        String path = "/v1/server_groups/ffffffff-ffff-4fff-bfff-" + UUID.randomUUID().toString().substring(24);
        List<String> members = IntStream.range(0, 5).mapToObj(i -> UUID.randomUUID().toString()).toList();
        admin().body(group(members)).put(path).then().statusCode(201).body("members", equalTo(members));
        admin().get(path).then().body("members", equalTo(members)).body("version", equalTo(0));
        List<String> fewer = List.of(members.get(3), members.get(1));
        admin().body(group(fewer)).put(path).then()
                .statusCode(200)
                .body("members", equalTo(fewer))
                .body("version", equalTo(1));
        admin().get(path).then().body("members", containsInAnyOrder(fewer.toArray())).body("version", equalTo(1));
        admin().get("/v1/server_groups?sort_dir=desc").then()
                .body("server_groups.find { it.uuid == '" + path.substring(18) + "' }.members", hasSize(2));
        admin().body(group(List.of())).put(path).then().statusCode(200).body("members", hasSize(0));
        admin().get(path).then().body("members", hasSize(0));
        // A group that is deleted and created again has none of its earlier members.
        admin().body(group(members)).put(path).then().statusCode(200);
        admin().delete(path).then().statusCode(204);
        admin().body("{\"policy\":\"affinity\"}").put(path).then().statusCode(201).body("members", nullValue());
        admin().get(path).then().body("members", nullValue());
    }

    private static String group(List<String> members) {
        return "{\"policy\":\"affinity\",\"members\":["
                + String.join(",", members.stream().map(each -> "\"" + each + "\"").toList()) + "]}";
    }

    @Test
    void refusesANameThatIsTaken() {
        String body = "{\"name\":\"taken-" + UUID.randomUUID() + "\"}";
        String first = admin().body(body).post("/v1/host_aggregates").then().statusCode(201).extract().path("uuid");
        admin().body(body).post("/v1/host_aggregates").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", startsWith("record " + first + " has this key already"));
    }

    @Test
    void refusesAPostOfAUuidThatExists() {
        String body = "{\"policy\":\"affinity\",\"uuid\":\"" + UUID.randomUUID() + "\"}";
        admin().body(body).post("/v1/server_groups").then().statusCode(201);
        admin().body(body).post("/v1/server_groups").then().statusCode(409);
    }

    @Test
    void listsInPagesAfterAMarker() {
        for (int i = 0; i < 3; i++) {
            admin().body("{\"host\":\"h" + i + "\"}").post("/v1/instances").then().statusCode(201);
        }
        var first = admin().get("/v1/instances?limit=2");
        first.then().statusCode(200).body("instances", hasSize(2));
        String marker = first.jsonPath().getString("instances[1].uuid");
        var rest = admin().get("/v1/instances?marker=" + marker);
        rest.then().statusCode(200);
        assertThat(rest.jsonPath().getList("instances.uuid", String.class))
                .isNotEmpty()
                .allMatch(uuid -> uuid.compareTo(marker) > 0);
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', value = {
        "cells           | {\"name\":\"x\",\"nmae\":1}                          | $.nmae: unknown member",
        "cells           | {}                                                   | $.name: is required",
        "cells           | {\"name\":7}                                         | $.name: must be a string",
        "cells           | []                                                   | $: must be an object",
        "cells           | {\"name\":\"a\\u0000b\"}                             | $.name: must not contain NUL",
        "cells           | {\"name\":\"a\\ud800\"}                              | $.name: must not contain NUL",
        "cells           | {\"name\":\"a\",\"name\":\"b\"}                      | the body is not JSON",
        "cells           | {\"name\":                                           | the body is not JSON",
        "host_aggregates | {\"name\":\"a\",\"metadata\":{\"k\":1}}              | $.metadata.k: must be a string",
        "host_aggregates | {\"name\":\"a\",\"hosts\":[\"h\",2]}                 | $.hosts[1]: must be a string",
        "server_groups   | {\"policy\":\"near\"}                                | $.policy: must be one of affinity,",
        "server_groups   | {\"policy\":\"affinity\",\"rules\":{\"max\":1}}      | $.rules.max: unknown member",
        "server_groups   | {\"policy\":\"affinity\",\"members\":[\"1-1-1-1-1\"]} | $.members[0]: must be a uuid",
        "services        | {\"host\":\"h\",\"disabled\":\"yes\"}                | $.disabled: must be true or false",
        "instances       | {\"host\":\"h\",\"instance_type_id\":1.5}            | $.instance_type_id: must be an"
                + " integer",
        "compute_nodes   | {\"host\":\"h\",\"ram\":5}                           | $.ram: unknown member",
        "compute_nodes   | {\"host\":\"h\",\"vcpus_total\":\"4\"}               | $.vcpus_total: must be an integer",
        "compute_nodes | {\"host\":\"h\",\"traits\":[\"a b\"]} | $.traits: a name must be 1 to 255",
        "compute_nodes | {\"host\":\"h\",\"inventories\":{\"VCPU\":{}}} | $.inventories.VCPU.total: is required",
        "compute_nodes | {\"host\":\"h\",\"inventories\":{\"A\":{\"total\":-1}}} | $.inventories.A.total: must be",
        "compute_nodes | {\"host\":\"h\",\"inventories\":{\"x/y\":{}}} | $.inventories.x/y: a name must be 1 to 255",
        "compute_nodes | {\"host\":\"h\",\"traits\":[],\"cpu_allocation_ratio\":-1} | $.cpu_allocation_ratio:"})
    void refusesInvalidMembersAndNamesTheirPath(String collection, String body, String detail) {
        admin().body(body).put("/v1/" + collection + "/" + UUID.randomUUID()).then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler.request_invalid"))
                .body("errors[0].detail", startsWith(detail));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "services        | {\"host\":\"%s\"}                  | $.host: must not be longer than 255",
        "compute_nodes   | {\"host\":\"%s\"}                  | $.host: must not be longer than 255",
        "host_aggregates | {\"name\":\"n\",\"hosts\":[\"%s\"]} | $.hosts[0]: must not be longer than 255",
        "instances       | {\"host\":\"%s\"}                  | $.host: must not be longer than 255",
        "compute_nodes   | {\"host\":\"h\",\"nodename\":\"%s\"} | $.nodename: must not be longer than 255",
        "host_aggregates | {\"name\":\"%s\"}                  | $.name: must not be longer than 255",
        "cells           | {\"name\":\"%s\"}                  | $.name: must not be longer than 255"})
    void refusesNamesThatAreTooLong(String collection, String body, String detail) {
        // The text must be too long for an index, which compresses repetitions.
        String random =
                new Random(1).ints(10_000, 'a', 'z').mapToObj(Character::toString).collect(Collectors.joining());
        admin().body(body.formatted("h".repeat(256))).put("/v1/" + collection + "/" + UUID.randomUUID()).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith(detail));
        admin().body(body.formatted(random)).put("/v1/" + collection + "/" + UUID.randomUUID()).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith(detail));
    }

    @Test
    void refusesDeepNesting() {
        String deep = "[".repeat(1_000);
        admin().body("{\"host\":\"h\",\"stats\":" + deep).put("/v1/compute_nodes/" + UUID.randomUUID()).then()
                .statusCode(400);
    }

    /** The database keeps all of their digits, about 330. */
    @Test
    void readsBackTheLargestAndSmallestNumbers() {
        // The uuid sorts to the end, so the record is on the first page in descending order.
        String uuid = "ffffffff-ffff-4fff-bfff-" + UUID.randomUUID().toString().substring(24);
        String path = "/v1/compute_nodes/" + uuid;
        admin().body("""
                {"host": "h", "metrics": [{"name": "large", "value": 1.7976931348623157e308},
                                          {"name": "small", "value": 2.2250738585072014e-308}]}""")
                .put(path).then().statusCode(201);
        admin().get(path).then().statusCode(200).body("metrics.name", contains("large", "small"));
        admin().get("/v1/compute_nodes?sort_dir=desc").then()
                .statusCode(200)
                .body("compute_nodes.uuid", hasItem(uuid));
    }

    @Test
    void refusesOtherMethodsAndMediaTypes() {
        admin().body("{}").patch("/v1/cells").then()
                .statusCode(405)
                .body("errors[0].code", equalTo("scheduler.method_not_allowed"));
        given().header("x-auth-token", "admin").contentType("text/plain").body("x").post("/v1/cells").then()
                .statusCode(415)
                .body("errors[0].code", equalTo("scheduler.media_type_unsupported"));
        admin().get("/v1/cells/not-a-uuid").then().statusCode(400);
    }
}
