package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests {@code ?dry_run=true}, simulations and analyses: they return what the real request would and change nothing.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class DryRunIT {
    private final Fleet fleet = new Fleet();

    private static Response trySelect(String body) {
        return admin().body(body).post("/v1/select_destinations?dry_run=true");
    }

    @Test
    void selectsWithoutClaimOrRecord() {
        String large = fleet.host("large", 2);
        List<String> two = instances(2);
        for (int again = 0; again < 2; again++) {
            trySelect(fleet.body(two, "")).then()
                    .statusCode(200)
                    .body("selections", hasSize(2))
                    .body("selections[0][0].compute_node_uuid", equalTo(large))
                    .body("selections[1][0].compute_node_uuid", equalTo(large));
        }
        for (String instance : two) {
            assertThat(allocations(instance)).isEmpty();
            admin().get("/v1/instances/" + instance).then().statusCode(404);
        }
        // The same request succeeds afterwards: the dry runs left no record and took no room.
        select(fleet.body(two, "")).then().statusCode(200);
        assertThat(allocations(two.getFirst())).isEqualTo(Map.of(large, amounts(1)));
        trySelect(fleet.body(instances(1), "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"));
    }

    private static ValidatableResponse simulate(String request, String more) {
        return admin().body("{\"request_spec\": %s%s}".formatted(request, more)).post("/v1/simulations").then();
    }

    @Test
    void simulatesOtherOptionsOnTheRealHosts() {
        fleet.host("large", 8);
        fleet.host("small", 4);
        String[] byRoom = {fleet.name("large"), fleet.name("small")};
        String[] stacked = {fleet.name("small"), fleet.name("large")};
        simulate(fleet.spec(1, ""), "").statusCode(200)
                .body("result", equalTo("selected"))
                .body("as_of.fleet_version", notNullValue())
                .body("selections[0].host", contains(byRoom))
                .body("instances[0].filters", not(empty()));
        simulate(fleet.spec(1, ""), """
                , "options": {"weight_classes": ["RAMWeigher"], "ram_weight_multiplier": -1.0}""").statusCode(200)
                .body("selections[0].host", contains(stacked));
        // Candidates come from placement: a second instance counts the first, and an instance that fits nowhere gets no
        // host.
        simulate(fleet.spec(4, ", \"num_instances\": 2"), ", \"return_alternates\": false").statusCode(200)
                .body("selections", hasSize(2));
        simulate(fleet.spec(9, ""), "").statusCode(200).body("result", equalTo("no_valid_host"));
        simulate(fleet.spec(8, ""), "").statusCode(200).body("selections[0].host", contains(fleet.name("large")));
    }

    @Test
    void decidesAMoveWithoutMakingIt() {
        String a = fleet.host("a", 8);
        String instance = fleet.instanceOn("a");
        String b = fleet.host("b", 4);
        String migration = UUID.randomUUID().toString();
        String body = """
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(instance, migration, a, fleet.spec(2, ""));
        for (int again = 0; again < 2; again++) {
            admin().body(body).post("/v1/moves?dry_run=true").then()
                    .statusCode(200)
                    .body("selections[0][0].compute_node_uuid", equalTo(b));
            assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
            assertThat(allocations(migration)).isEmpty();
        }
        admin().post("/v1/moves/" + migration + "/revert").then().statusCode(404);
        admin().body(body.replace("\"vcpus\": 2", "\"vcpus\": 900")).post("/v1/moves?dry_run=true").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"));
        admin().body(body.replace(instance, UUID.randomUUID().toString())).post("/v1/moves?dry_run=true").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"));
        admin().body(body).post("/v1/moves").then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(b));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(2)));
    }

    private static ValidatableResponse explain(String request, String host) {
        return admin().body("{\"request_spec\": %s, \"hosts\": [\"%s\"]}".formatted(request, host))
                .post("/v1/explanations").then().statusCode(200);
    }

    private static ValidatableResponse place(String... requests) {
        return admin().body("{\"ask\": {\"placements\": [" + String.join(",", requests) + "]}}")
                .post("/v1/what_if").then();
    }

    @Test
    void chargesEachInstanceOfARequestForTheNext() {
        fleet.host("a", 2);
        List<String> three = instances(3);
        String request = fleet.spec(1, ", \"num_instances\": 3");
        trySelect(fleet.body(three, "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].detail", startsWith("Instance 3: "));
        simulate(request, "").statusCode(200).body("result", equalTo("no_valid_host"));
        place(request).statusCode(200)
                .body("after.placements[0].code", equalTo("scheduler.no_valid_host"))
                .body("after.placements[0].text", equalTo("not all of 3 instances find a host"));
        explain(request, fleet.name("a"))
                .body("hosts[0].verdict", equalTo("admissible"))
                .body("decision.result", equalTo("no_valid_host"))
                .body("decision.instances", equalTo(3))
                .body("decision.placed", equalTo(2));
        select(fleet.body(three, "")).then().statusCode(409);

        // With one more host there is room for all three.
        fleet.host("b", 1);
        List<String> placed = List.of(fleet.name("a"), fleet.name("a"), fleet.name("b"));
        List<String> tried = hosts(trySelect(fleet.body(three, "")));
        assertThat(tried).containsExactlyInAnyOrderElementsOf(placed);
        simulate(request, "").statusCode(200).body("selections.collect { it[0].host }", equalTo(tried));
        place(request, fleet.spec(1, "")).statusCode(200)
                .body("after.placements[0].hosts.host", equalTo(tried))
                .body("after.placements[1].code", equalTo("scheduler.no_valid_host"));
        explain(request, fleet.name("b"))
                .body("hosts[0].verdict", equalTo("chosen"))
                .body("decision.result", equalTo("selected"));
        assertThat(hosts(select(fleet.body(three, "")))).isEqualTo(tried);
    }

    private static List<String> hosts(Response response) {
        return response.then().statusCode(200).extract().path("selections.collect { it[0].host }");
    }

    @Test
    void queriesMoreCandidatesWhenNoneOfTheFirstFits() {
        List<String> names = Stream.of("a", "b", "c").peek(name -> fleet.host(name, 2)).map(fleet::name).toList();
        for (String only : names) {
            String ignored = names.stream().filter(name -> !name.equals(only))
                    .collect(Collectors.joining("\", \"", ", \"ignore_hosts\": [\"", "\"]"));
            simulate(fleet.spec(2, ignored), ", \"options\": {\"scheduler\": {\"max_placement_results\": 1}}")
                    .statusCode(200)
                    .body("result", equalTo("selected"))
                    .body("selections[0].host", contains(only));
        }
        // The first candidate has room for only two of three.
        String three = fleet.spec(1, ", \"num_instances\": 3");
        simulate(three, ", \"options\": {\"scheduler\": {\"max_placement_results\": 1}}").statusCode(200)
                .body("result", equalTo("selected"));
        admin().body("""
                {"changes": [{"option": {"scheduler": {"max_placement_results": 1}}}], "ask": {"placements": [%s]}}""".formatted(three))
                .post("/v1/what_if").then()
                .statusCode(200)
                .body("after.placements[0].hosts", hasSize(3));
    }

    @Test
    void analysesRefuseARebuild() {
        fleet.host("a", 1);
        String instance = fleet.instanceOn("a");
        String rebuild = fleet.spec(1, """
                , "instance_uuid": "%s", "scheduler_hints": {"_nova_check_type": "rebuild"}""".formatted(instance));
        trySelect("{\"instance_uuids\": [\"%s\"], \"request_spec\": %s}".formatted(instance, rebuild)).then()
                .statusCode(200);
        String why = "a rebuild keeps its host";
        simulate(rebuild, "").statusCode(400).body("errors[0].detail", containsString(why));
        admin().body("{\"request_spec\": " + rebuild + "}").post("/v1/explanations").then()
                .statusCode(400)
                .body("errors[0].detail", containsString(why));
        place(rebuild).statusCode(400)
                .body("errors[0].detail", allOf(startsWith("$.ask.placements[0]: "), containsString(why)));
        admin().body("{\"requests\": [{\"name\": \"f\", \"request_spec\": " + rebuild + "}]}").post("/v1/capacity")
                .then()
                .statusCode(400)
                .body("errors[0].detail", allOf(startsWith("$.requests[0].request_spec: "), containsString(why)));
        admin().body("{\"goal\": {\"make_room\": {\"request_spec\": " + rebuild + "}}}").post("/v1/proposals").then()
                .statusCode(400)
                .body("errors[0].detail", allOf(startsWith("$.goal.make_room"), containsString(why)));
        // On hosts in the body a rebuild is decided as in nova.
        simulate(rebuild, ", \"hosts\": [{\"host\": \"a\", \"allocation_candidates\": []}]").statusCode(200)
                .body("result", equalTo("selected"));
    }

    @Test
    void refusesOtherValuesOfDryRun() {
        for (String route : new String[] {"/v1/select_destinations", "/v1/moves"}) {
            admin().body("{}").post(route + "?dry_run=maybe").then()
                    .statusCode(400)
                    .body("errors[0].detail", startsWith("dry_run: must be true or false"));
        }
    }
}
