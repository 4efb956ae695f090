package io.berth.scheduler.host.registry.edit;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes many records with a {@code PUT} of their collection: either all of them or none. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ManyRecordsIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final String name = "many-" + UUID.randomUUID();

    @Inject
    Pool pool;

    @TestHTTPResource("/")
    URI root;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private static List<String> uuids(int count) {
        return IntStream.range(0, count).mapToObj(i -> UUID.randomUUID().toString()).toList();
    }

    /** @param more further members, each after a comma */
    private String nodes(List<String> uuids, String more) {
        return uuids.stream()
                .map(uuid -> "{\"uuid\":\"" + uuid + "\",\"host\":\"" + name + "-" + uuid + "\"" + more + "}")
                .collect(Collectors.joining(",", "{\"compute_nodes\":[", "]}"));
    }

    @Test
    void createsAndReplacesManyRecordsTogether() {
        List<String> thousand = uuids(1_000);
        admin().body(nodes(thousand.subList(0, 400), "")).put("/v1/compute_nodes").then()
                .statusCode(200)
                .body("compute_nodes", hasSize(400))
                .body("compute_nodes.version", everyItem(equalTo(0)));
        admin().body(nodes(thousand, ",\"vcpus_total\":4")).put("/v1/compute_nodes").then()
                .statusCode(200)
                .body("compute_nodes.findAll { it.version == 1 }", hasSize(400))
                .body("compute_nodes.findAll { it.version == 0 }", hasSize(600));
        for (int i : new int[] {0, 399, 400, 999}) {
            admin().get("/v1/compute_nodes/" + thousand.get(i)).then()
                    .statusCode(200)
                    .body("vcpus_total", equalTo(4))
                    .body("version", equalTo(i < 400 ? 1 : 0));
        }
    }

    @Test
    void limitsTheLengthOfHostRecordsButNotOfAggregates() {
        List<String> two = uuids(2);
        String stats = "{\"num_instances\":[" + "\"0123456789\",".repeat(21_000) + "0]}";
        String long1 = nodes(two, "").replaceFirst("}]}$", ",\"stats\":" + stats + "}]}");
        admin().body(long1).put("/v1/compute_nodes").then()
                .statusCode(413)
                .body("errors[0].detail", startsWith(
                        "$.compute_nodes[1]: a record of compute_nodes has at most 262144 characters, this has 27"));
        admin().get("/v1/compute_nodes/" + two.getFirst()).then().statusCode(404);
        admin().body("{\"host\":\"" + name + "\",\"stats\":" + stats + "}").put("/v1/compute_nodes/" + two.getFirst())
                .then()
                .statusCode(413)
                .body("errors[0].detail", startsWith("$: a record of compute_nodes has at most 262144 characters"));
        // An aggregate may name many hosts.
        String hosts =
                IntStream.range(0, 20_000).mapToObj("\"compute-%06d\""::formatted).collect(Collectors.joining(","));
        String aggregate = "/v1/host_aggregates/" + two.getFirst();
        admin().body("{\"name\":\"" + name + "\",\"hosts\":[" + hosts + "]}").put(aggregate).then().statusCode(201);
        admin().delete(aggregate).then().statusCode(204);
        // Otherwise the next sync would query placement for each of these hosts.
        pool.query("DELETE FROM sync_outbox WHERE host LIKE 'compute-______'").execute().await().atMost(LIMIT);
    }

    @Test
    void writesNoneIfOneConflicts() {
        List<String> three = uuids(3);
        admin().body(nodes(three.subList(0, 1), "")).put("/v1/compute_nodes").then().statusCode(200);
        // The version differs from the stored one: once of an existing record, once of a new one.
        for (String wrong : List.of(three.getFirst(), three.getLast())) {
            String body =
                    nodes(three, "").replace("\"uuid\":\"" + wrong + "\"", "\"version\":7,\"uuid\":\"" + wrong + "\"");
            admin().body(body).put("/v1/compute_nodes").then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.concurrent_update"))
                    .body("errors[0].detail", startsWith("the stored version of " + wrong));
        }
        // The host belongs to another record.
        String taken = nodes(three.subList(1, 3), "").replace(name + "-" + three.get(2), name + "-" + three.get(0));
        admin().body(taken).put("/v1/compute_nodes").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"));
        admin().get("/v1/compute_nodes/" + three.get(1)).then().statusCode(404);
        admin().get("/v1/compute_nodes/" + three.get(2)).then().statusCode(404);
    }

    @Test
    void writesTheMembersOfServerGroups() {
        String group = UUID.randomUUID().toString();
        String member = UUID.randomUUID().toString();
        admin()
                .body("{\"server_groups\":[{\"uuid\":\"" + group + "\",\"policy\":\"affinity\",\"members\":[\"" + member
                        + "\"]}]}")
                .put("/v1/server_groups").then().statusCode(200);
        admin().get("/v1/server_groups/" + group).then().body("members", equalTo(List.of(member)));
    }

    /**
     * Both writes add hosts to the outbox of the placement sync, each in the order of its own uuids, so that the
     * transactions wait for each other.
     */
    @Test
    void concurrentWritesOfServicesAndNodesOfTheSameHostsSucceed() {
        List<String> ascending = uuids(60).stream().sorted().toList();
        List<String> descending = uuids(60).stream().sorted(Comparator.reverseOrder()).toList();
        String nodes = records("compute_nodes", ascending);
        String services = records("services", descending);
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var writes = IntStream.range(0, 32).mapToObj(i -> {
                String collection = i % 2 == 0 ? "compute_nodes" : "services";
                var request = HttpRequest.newBuilder(root.resolve("/v1/" + collection))
                        .header("x-auth-token", "admin").header("content-type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(i % 2 == 0 ? nodes : services))
                        .build();
                return http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
            }).toList();
            // 409: two writes of the same collection saw the same version.
            assertThat(writes)
                    .allSatisfy(write -> assertThat(write.join().statusCode()).as(write.join().body()).isIn(200, 409));
            admin().get("/v1/compute_nodes/" + ascending.getLast()).then().statusCode(200);
            admin().get("/v1/services/" + descending.getLast()).then().statusCode(200);
        }
    }

    private String records(String collection, List<String> uuids) {
        return IntStream.range(0, uuids.size())
                .mapToObj(i -> "{\"uuid\":\"" + uuids.get(i) + "\",\"host\":\"" + name + "-" + i + "\"}")
                .collect(Collectors.joining(",", "{\"" + collection + "\":[", "]}"));
    }

    @Test
    void concurrentWritesInAnyOrderAreAtomic() {
        List<String> all = uuids(50);
        List<String> cpus = IntStream.range(0, 12).mapToObj(i -> ",\"vcpus_total\":" + (i + 1)).toList();
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var writes = cpus.stream().map(each -> {
                var shuffled = new java.util.ArrayList<>(all);
                Collections.shuffle(shuffled, new Random(each.hashCode()));
                return http.sendAsync(
                        HttpRequest.newBuilder(root.resolve("/v1/compute_nodes"))
                                .header("x-auth-token", "admin")
                                .header("content-type", "application/json")
                                .timeout(Duration.ofMinutes(5))
                                .PUT(HttpRequest.BodyPublishers.ofString(nodes(shuffled, each)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
            }).toList();
            List<Integer> statuses = writes.stream().map(response -> response.join().statusCode()).toList();
            assertThat(statuses).containsAnyOf(200).allMatch(status -> status == 200 || status == 409);
        }
        List<Integer> stored = all.stream()
                .map(uuid -> admin().get("/v1/compute_nodes/" + uuid).then()
                        .statusCode(200)
                        .extract().<Integer>path("vcpus_total"))
                .distinct()
                .toList();
        assertThat(stored).hasSize(1);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{} | $.compute_nodes: must have between 1 and 1000 records",
        "{\"compute_nodes\":[]} | $.compute_nodes: must have between 1 and 1000 records",
        "{\"compute_nodes\":{}} | $.compute_nodes: must be a list",
        "{\"compute_nodes\":[{\"host\":\"h\"}]} | $.compute_nodes[0].uuid: is required",
        "{\"compute_node\":[]} | $.compute_node: unknown member, did you mean compute_nodes?",
        "{\"compute_nodes\":[{\"uuid\":\"33333333-3333-4333-8333-333333333333\",\"hots\":\"h\",\"host\":\"h\"}]} |"
                + " $.compute_nodes[0].hots: unknown member, did you mean host?",
        "{\"compute_nodes\":[{\"uuid\":\"33333333-3333-4333-8333-333333333333\",\"host\":\"h\"},{\"uuid\":\"33333333-3333-4333-8333-333333333333\",\"host\":\"i\"}]} | $.compute_nodes[1].uuid: occurs twice"})
    void refusesInvalidCollections(String body, String why) {
        admin().body(body).put("/v1/compute_nodes").then()
                .statusCode(400)
                .body("errors[0].detail", startsWith(why));
    }

    @Test
    void limitsACollectionToAThousandRecords() {
        admin().body(nodes(uuids(1_001), "")).put("/v1/compute_nodes").then()
                .statusCode(400)
                .body("errors[0].detail", startsWith("$.compute_nodes: must have between 1 and 1000 records"));
        admin().body("{\"compute_nodes\":[" + " ".repeat(4 << 20) + "]}").put("/v1/compute_nodes").then()
                .statusCode(413)
                .body("errors[0].code", equalTo("scheduler.body_too_large"));
    }
}
