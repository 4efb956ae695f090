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
 * The fleet changes before each question that an answer asks of placement, and the answer is about one fleet all the
 * same.
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

    /** A consumer comes to the host, or leaves it. */
    private void writeBeforeEachQuestion(String host) {
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

    /** By what is asked. */
    private Map<String, Response> ask(String... hosts) {
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
        Response answer = admin().body(body).post(path);
        assertThat(writes.get() - before).as("%s %s asked several times: %s", path, body, answer.asString())
                .isGreaterThan(1);
        return answer;
    }

    private static void assertOfOneFleet(Map<String, Response> answers) {
        assertThat(answers).allSatisfy((what, answer) -> {
            assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
            assertThat(answer.asString()).doesNotContain("fleet changed");
        });
    }

    /** Nightly: with two replicas in turns half of the questions reach the replica that keeps the view, too. */
    @Test
    @Tag("long")
    void standOnOneFleet() {
        String[] hosts = hosts();
        writeBeforeEachQuestion(fleet.host("busy", 2));
        assertOfOneFleet(ask(hosts));
    }

    @Test
    void standOnOneFleetWhereReplicasOfPlacementTakeTurns() {
        String[] hosts = hosts();
        try (var second = ServiceProcess.start(Path.of("..", "placement-service"), PostgresForTests.url())) {
            PackagedPlacement.proxy().questionsGoTo(PackagedPlacement.url(), second.url());
            writeBeforeEachQuestion(fleet.host("busy", 2));
            assertOfOneFleet(ask(hosts));
        }
    }

    /** What was asked is answered as far as it can be, and says that it is not of one moment. */
    @Test
    void sayWhereTheFleetIsLost() {
        String[] hosts = hosts();
        String spec = fleet.spec(1, "").replace("\"vcpus\": 1", "\"vcpus\": 7");
        var second = ServiceProcess.start(Path.of("..", "placement-service"), PostgresForTests.url());
        AtomicInteger questions = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> {
            if (call.equals("POST /berth/v1/what_if") && questions.incrementAndGet() == 2) {
                PackagedPlacement.proxy().questionsGoTo(PackagedPlacement.url());
                second.close();
            }
            return Fate.PASSED;
        });
        PackagedPlacement.proxy().questionsGoTo(second.url());
        JsonPath answer = admin()
                .body("{\"request_spec\": " + spec + ", \"hosts\": [\"" + hosts[1] + "\"], \"timeout_s\": 60}")
                .post("/v1/explanations").then().statusCode(200).extract().jsonPath();
        assertThat(answer.getBoolean("complete")).as(answer.prettify()).isFalse();
        assertThat(answer.getList("gaps", String.class))
                .contains("placement's data changed between two queries of this analysis");
        assertThat(answer.getList("hosts[0].admitted_by")).as(answer.prettify()).isNotEmpty();
    }
}
