package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.placement;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Changes the fleet before each query that an analysis sends to placement and checks that the result still stands on
 * one version of the fleet.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class ResponsesUnderWritesIT {
    private final Fleet fleet = new Fleet();
    private final AtomicInteger writes = new AtomicInteger();

    @AfterEach
    void restore() {
        PackagedPlacement.restore();
        PackagedPlacement.proxy().questionsGoTo(PackagedPlacement.url());
    }

    private String[] hosts() {
        fleet.register(fleet.host("a", 8), "a", Fleet.cell("c"));
        fleet.instanceOn("a");
        fleet.instanceOn("a");
        fleet.host("b", 6);
        fleet.host("full", 1);
        return new String[] {fleet.name("a"), fleet.name("b"), fleet.name("full")};
    }

    /** Before each query of an analysis, a consumer claims the host or releases it. */
    private void writeBeforeEachQuery(String host) {
        String consumer = UUID.randomUUID().toString();
        PackagedPlacement.proxy().rule(call -> {
            if (call.equals("POST /berth/v1/what_if")) {
                if (writes.getAndIncrement() % 2 == 0) {
                    Fleet.hold(consumer, host);
                } else {
                    placement().delete("/allocations/" + consumer).then().statusCode(204);
                }
            }
            return Fate.PASSED;
        });
    }

    /** Responses to analyses of every kind, by kind. */
    private Map<String, Response> postAnalyses(String... hosts) {
        String small = fleet.spec(1, "");
        String large = fleet.spec(6, "");
        String manyCpus = small.replace("\"vcpus\": 1", "\"vcpus\": 7");
        String group = fleet.spec(1, ", \"instance_group\": {\"uuid\": \"" + UUID.randomUUID() + "\", \"policy\":"
                + " \"anti-affinity\", \"members\": [], \"hosts\": []}");
        return Map.of(
                "capacity", post("/v1/capacity", "{\"requests\": [{\"name\": \"s\", \"request_spec\": " + small
                        + "}, {\"name\": \"g\", \"request_spec\": " + group + "}]}"),
                "joint capacity", post("/v1/capacity", """
                        {"joint": true, "requests": [{"name": "s", "request_spec": %s}, {"name": "l", "request_spec": %s}]}"""
                        .formatted(small, large)),
                "explanation", post("/v1/explanations", "{\"request_spec\": " + manyCpus + ", \"hosts\": [\""
                        + String.join("\", \"", hosts) + "\"]}"),
                "what if", post("/v1/what_if", """
                        {"changes": [{"disable": {"hosts": ["%1$s"]}}],
                         "ask": {"capacity": [{"name": "s", "request_spec": %3$s}], "placements": [%3$s],
                                 "drain": {"hosts": ["%2$s"]}}}""".formatted(hosts[1], hosts[0], small)),
                "room", post("/v1/proposals",
                        "{\"goal\": {\"make_room\": {\"request_spec\": " + fleet.spec(8, "") + ", \"count\": 1}}}"),
                "empty hosts",
                post("/v1/proposals", "{\"goal\": {\"empty_hosts\": {\"hosts\": [\"" + hosts[0] + "\"]}}}"));
    }

    private Response post(String path, String body) {
        int before = writes.get();
        Response response = admin().body(body).post(path);
        assertThat(writes.get() - before).as("%s %s sends several queries: %s", path, body, response.asString())
                .isGreaterThan(1);
        return response;
    }

    private static void assertOneFleetVersion(Map<String, Response> responses) {
        assertThat(responses).allSatisfy((what, response) -> {
            assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
            assertThat(response.asString()).doesNotContain("fleet changed");
        });
    }

    /**
     * With two replicas in turns, half of the queries also reach the replica that keeps the view; hence this one is for
     * long runs only.
     */
    @Test
    @Tag("long")
    void analysesUseOneFleetVersionDespiteWrites() {
        String[] hosts = hosts();
        writeBeforeEachQuery(fleet.host("busy", 2));
        assertOneFleetVersion(postAnalyses(hosts));
    }

    @Test
    void analysesUseOneFleetVersionAcrossPlacementReplicas() {
        String[] hosts = hosts();
        try (var second = ServiceProcess.start(Path.of("..", "placement-service"), PostgresForTests.url())) {
            PackagedPlacement.proxy().questionsGoTo(PackagedPlacement.url(), second.url());
            writeBeforeEachQuery(fleet.host("busy", 2));
            assertOneFleetVersion(postAnalyses(hosts));
        }
    }

    /** The result is as complete as it can be and reports that it does not stand on one version. */
    @Test
    void analysesReportAGapWhenTheFleetVersionIsLost() {
        String[] hosts = hosts();
        String spec = fleet.spec(1, "").replace("\"vcpus\": 1", "\"vcpus\": 7");
        var second = ServiceProcess.start(Path.of("..", "placement-service"), PostgresForTests.url());
        AtomicInteger queries = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> {
            if (call.equals("POST /berth/v1/what_if") && queries.incrementAndGet() == 2) {
                PackagedPlacement.proxy().questionsGoTo(PackagedPlacement.url());
                second.close();
            }
            return Fate.PASSED;
        });
        PackagedPlacement.proxy().questionsGoTo(second.url());
        JsonPath response = admin()
                .body("{\"request_spec\": " + spec + ", \"hosts\": [\"" + hosts[1] + "\"], \"timeout_s\": 60}")
                .post("/v1/explanations").then().statusCode(200).extract().jsonPath();
        assertThat(response.getBoolean("complete")).as(response.prettify()).isFalse();
        assertThat(response.getList("gaps", String.class))
                .contains("placement's data changed between two queries of this analysis");
        assertThat(response.getList("hosts[0].admitted_by")).as(response.prettify()).isNotEmpty();
    }
}
