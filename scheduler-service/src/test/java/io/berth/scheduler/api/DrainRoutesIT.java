package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the routes of drains over HTTP, on hosts of a real Placement. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class DrainRoutesIT {
    private final Fleet fleet = new Fleet();
    private final String drain = fleet.name("drain");

    @AfterEach
    void stop() {
        admin().delete("/v1/drains/" + drain);
    }

    /** @param more further members, each after a comma */
    private String body(String more, String... hosts) {
        List<String> names = Stream.of(hosts).map(host -> "\"" + fleet.name(host) + "\"").toList();
        return "{\"select\": {\"hosts\": [%s]}%s}".formatted(String.join(",", names), more);
    }

    private static Response begin(String name, String body) {
        return admin().body(body).put("/v1/drains/" + name);
    }

    private Response next() {
        return admin().get("/v1/drains/" + drain + "/next");
    }

    private Response progress() {
        return admin().get("/v1/drains/" + drain);
    }

    private static Response make(Map<String, Object> move) {
        return admin().body(bodyOf(move)).post("/v1/moves");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> callOf(Map<String, Object> move) {
        return (Map<String, Object>) move.get("call");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> bodyOf(Map<String, Object> move) {
        return (Map<String, Object>) callOf(move).get("body");
    }

    private static String migrationOf(Map<String, Object> move) {
        return bodyOf(move).get("migration_uuid").toString();
    }

    private static List<Map<String, Object>> moves(Response next) {
        return next.then().statusCode(200).extract().jsonPath().getList("moves");
    }

    private static void confirm(Map<String, Object> move) {
        admin().post("/v1/moves/" + migrationOf(move) + "/confirm").then().statusCode(200);
    }

    private String service(String host, String more) {
        String uuid = UUID.randomUUID().toString();
        admin().body("{\"host\": \"%s\"%s}".formatted(fleet.name(host), more)).put("/v1/services/" + uuid).then()
                .statusCode(201);
        return uuid;
    }

    private Response services(String host) {
        return admin().get("/v1/services?host=" + fleet.name(host));
    }

    @Test
    void repeatingTheRequestReturnsTheSameDrain() {
        fleet.host("a", 4);
        fleet.instanceOn("a");
        Response begun = begin(drain, body(", \"parallel\": 2", "a"));
        begun.then()
                .statusCode(201)
                .body("name", equalTo(drain))
                .body("select.hosts", equalTo(List.of(fleet.name("a"))))
                .body("reason", equalTo("drain " + drain))
                .body("parallel", equalTo(2))
                .body("per_host", equalTo(1))
                .body("user_id", equalTo("admin"))
                .body("hosts.instances", equalTo(List.of(1)));
        // The same body with its defaults written out.
        String again = body(", \"parallel\": 2, \"per_host\": 1, \"reason\": \"drain " + drain + "\"", "a");
        for (String same : List.of(body(", \"parallel\": 2", "a"), again)) {
            assertThat(begin(drain, same).then().statusCode(200).extract().asString()).isEqualTo(begun.asString());
        }
        begin(drain, body("", "a")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", equalTo("a drain " + drain
                        + " exists with another body: DELETE it first, or take another name"));
        admin().get("/v1/drains?limit=1000").then().statusCode(200).body("drains.name", hasItem(drain));
    }

    @Test
    void enablesOnlyTheServicesThatItDisabled() {
        for (String host : List.of("enabled", "none", "before", "changed")) {
            fleet.host(host, 4);
        }
        service("enabled", "");
        service("before", ", \"disabled\": true, \"disabled_reason\": \"old\"");
        String changed = service("changed", "");
        begin(drain, body(", \"reason\": \"new memory\"", "enabled", "none", "before", "changed")).then()
                .statusCode(201)
                .body("hosts.service", equalTo(List.of("disabled", "made", "nothing", "disabled")));
        for (String host : List.of("enabled", "none", "changed")) {
            services(host).then()
                    .body("services.disabled", equalTo(List.of(true)))
                    .body("services.disabled_reason", equalTo(List.of("new memory")));
        }
        services("before").then().body("services.disabled_reason", equalTo(List.of("old")));
        progress().then().statusCode(200).body("hosts.disabled", everyItem(equalTo(true)));
        // Another operator disables this service for another reason.
        admin().body(Map.of("host", fleet.name("changed"), "disabled", true, "disabled_reason", "broken"))
                .put("/v1/services/" + changed).then().statusCode(200);

        admin().delete("/v1/drains/" + drain + "?enable=true").then()
                .statusCode(200)
                .body("enabled", equalTo(Stream.of("enabled", "none").map(fleet::name).sorted().toList()))
                .body("disabled", equalTo(List.of(fleet.name("changed"))))
                .body("detail", containsString("that changed since"));
        services("enabled").then()
                .body("services.disabled", equalTo(List.of(false)))
                .body("services[0].disabled_reason", nullValue());
        services("none").then().body("services", empty());
        services("before").then().body("services.disabled_reason", equalTo(List.of("old")));
        services("changed").then().body("services.disabled_reason", equalTo(List.of("broken")));
        admin().delete("/v1/drains/" + drain).then().statusCode(404);
        admin().get("/v1/changes?about=" + fleet.name("enabled")).then()
                .statusCode(200)
                .body("changes", hasSize(greaterThanOrEqualTo(2)))
                .body("changes[0].user_id", equalTo("admin"));
    }

    @Test
    void leavesServicesDisabledByDefault() {
        fleet.host("a", 4);
        service("a", "");
        begin(drain, body("", "a")).then().statusCode(201);
        admin().delete("/v1/drains/" + drain).then()
                .statusCode(200)
                .body("enabled", empty())
                .body("disabled", equalTo(List.of(fleet.name("a"))))
                .body("detail", containsString("stay disabled"));
        services("a").then().body("services.disabled", equalTo(List.of(true)));
        admin().get("/v1/changes?about=drain " + drain).then()
                .statusCode(200)
                .body("changes.what", equalTo(List.of("drain " + drain, "drain " + drain)));
    }

    @Test
    void refusesAHostThatIsInAnotherDrain() {
        fleet.host("a", 4);
        fleet.host("b", 4);
        service("b", "");
        begin(drain, body("", "a")).then().statusCode(201);
        String other = drain + "-2";
        begin(other, body("", "b", "a")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", equalTo("the drain " + drain + " empties host " + fleet.name("a")
                        + " already: DELETE that drain first, or leave the host out"));
        // The refused drain left nothing behind.
        admin().get("/v1/drains/" + other).then().statusCode(404);
        services("b").then().body("services[0].disabled", nullValue());
        admin().delete("/v1/drains/" + drain).then().statusCode(200);
        begin(other, body("", "b", "a")).then().statusCode(201);
        admin().delete("/v1/drains/" + other).then().statusCode(200);
    }

    private static List<Integer> atOnce(List<Supplier<Response>> calls) {
        List<CompletableFuture<Integer>> responses = calls.stream()
                .map(call -> CompletableFuture.supplyAsync(() -> call.get().statusCode()))
                .toList();
        return responses.stream().map(CompletableFuture::join).sorted().toList();
    }

    @Test
    void concurrentIdenticalRequestsBeginOneDrain() {
        fleet.host("a", 4);
        service("a", "");
        String body = body("", "a");
        assertThat(atOnce(Collections.nCopies(5, () -> begin(drain, body)))).containsExactly(200, 200, 200, 200, 201);
        services("a").then().body("services.version", equalTo(List.of(1)));
        assertThat(atOnce(Collections.nCopies(3, () -> admin().delete("/v1/drains/" + drain + "?enable=true"))))
                .containsExactly(200, 404, 404);
        services("a").then().body("services.version", equalTo(List.of(2)));
    }

    @Test
    void oneOfSeveralConcurrentDrainsGetsTheHost() {
        fleet.host("a", 4);
        List<String> names = IntStream.range(0, 5).mapToObj(i -> drain + "-" + i).toList();
        String body = body("", "a");
        Function<String, Supplier<Response>> begin = name -> () -> begin(name, body);
        assertThat(atOnce(names.stream().map(begin).toList())).containsExactly(201, 409, 409, 409, 409);
        Function<String, Supplier<Response>> stop = name -> () -> admin().delete("/v1/drains/" + name);
        assertThat(atOnce(names.stream().map(stop).toList())).containsExactly(200, 404, 404, 404, 404);
    }

    @Test
    void listsByName() {
        fleet.host("a", 4);
        fleet.host("b", 4);
        fleet.instanceOn("b");
        String other = drain + "-2";
        begin(drain, body("", "a")).then().statusCode(201);
        begin(other, body("", "b")).then().statusCode(201);
        admin().get("/v1/drains?limit=1&marker=" + drain).then()
                .statusCode(200)
                .body("drains.name", equalTo(List.of(other)))
                .body("drains.hosts", equalTo(List.of(1)))
                .body("drains.instances", equalTo(List.of(Map.of("start", 1, "remaining", 1))));
        String before = drain.substring(0, drain.length() - 1);
        admin().get("/v1/drains?limit=1&marker=" + before).then()
                .body("drains.name", equalTo(List.of(drain)))
                .body("drains_links[0].href", equalTo("?limit=1&marker=" + drain));
        admin().delete("/v1/drains/" + other).then().statusCode(200);
    }

    @Test
    void keepsToTheLimitOfParallelMoves() {
        fleet.host("a", 4);
        fleet.host("b", 4);
        for (String host : List.of("a", "a", "a", "b", "b")) {
            fleet.instanceOn(host);
        }
        fleet.host("large", 8);
        begin(drain, body(", \"parallel\": 2", "a", "b")).then().statusCode(201);
        Response first = next();
        List<Map<String, Object>> two = moves(first);
        first.then()
                .body("state", equalTo("moving"))
                .body("under_way", equalTo(0))
                .body("remaining", equalTo(5))
                .body("moves.from", equalTo(List.of(fleet.name("a"), fleet.name("b"))))
                .body("moves.host", everyItem(equalTo(fleet.name("large"))))
                .body("commands[0]", equalTo("openstack --os-compute-api-version 2.30 server migrate --live-migration"
                        + " --host " + fleet.name("large") + " " + two.getFirst().get("instance")));
        // The response stays the same until a move begins.
        assertThat(moves(next())).isEqualTo(two);
        assertThat(moves(admin().get("/v1/drains/" + drain + "/next?limit=1"))).isEqualTo(two.subList(0, 1));

        make(two.getFirst()).then().statusCode(200);
        assertThat(moves(next())).isEqualTo(two.subList(1, 2));
        make(two.get(1)).then().statusCode(200);
        next().then()
                .statusCode(200)
                .body("moves", empty())
                .body("state", equalTo("waiting"))
                .body("under_way", equalTo(2));
        progress().then()
                .statusCode(200)
                .body("state", equalTo("moving"))
                .body("instances.start", equalTo(5))
                .body("instances.moved", equalTo(0))
                .body("instances.under_way", equalTo(2))
                .body("instances.remaining", equalTo(3))
                .body("under_way.migration_uuid", hasItem(migrationOf(two.getFirst())))
                .body("hosts.left", everyItem(equalTo(Map.of())));

        // A move ends by the confirm call as well as by deletion of the migration's allocations.
        confirm(two.getFirst());
        placement().delete("/allocations/" + migrationOf(two.get(1))).then().statusCode(204);
        progress().then().body("instances.moved", equalTo(2)).body("instances.under_way", equalTo(0));
        List<Map<String, Object>> more = moves(next());
        assertThat(more).hasSize(2).doesNotContainAnyElementsOf(two);
        for (Map<String, Object> move : more) {
            make(move).then().statusCode(200);
            confirm(move);
        }
        Map<String, Object> last = moves(next()).getFirst();
        make(last).then().statusCode(200);
        progress().then().body("state", equalTo("moving")).body("instances.remaining", equalTo(0));
        confirm(last);
        next().then().body("state", equalTo("done")).body("moves", empty());
        progress().then()
                .body("state", equalTo("done"))
                .body("instances", equalTo(Map.of(
                        "start", 5, "moved", 5, "under_way", 0, "remaining", 0, "stuck", 0, "gone", 0, "arrived", 0)));
    }

    @Test
    void makesARepeatedMoveOnceAndRenewsTheMigrationAfterARevert() {
        fleet.host("a", 4);
        String instance = fleet.instanceOn("a");
        fleet.host("b", 4);
        begin(drain, body("", "a")).then().statusCode(201);
        Map<String, Object> move = moves(next()).getFirst();
        String response = make(move).then().statusCode(200).extract().asString();
        assertThat(make(move).then().statusCode(200).extract().asString()).isEqualTo(response);
        admin().post("/v1/moves/" + migrationOf(move) + "/revert").then().statusCode(200);
        Map<String, Object> again = moves(next()).getFirst();
        assertThat(again).containsEntry("instance", instance);
        assertThat(migrationOf(again)).isNotEqualTo(migrationOf(move));
        make(again).then().statusCode(200);
    }

    @Test
    void countsEvacuationsAndMovesOfNova() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 8);
        fleet.instanceOn("a");
        fleet.instanceOn("a");
        begin(drain, body("", "a")).then().statusCode(201);
        Map<String, Object> move = moves(next()).getFirst();
        Map<String, Object> evacuation = new HashMap<>(bodyOf(move));
        evacuation.put("kind", "evacuate");
        admin().body(evacuation).post("/v1/moves").then().statusCode(200);
        next().then().body("state", equalTo("waiting"));
        progress().then()
                .body("under_way.kind", equalTo(List.of("evacuate")))
                .body("instances.moved", equalTo(0))
                .body("hosts[0].left", equalTo(Map.of()));
        confirm(move);

        // Nova moves the allocations first and updates the registration at the end.
        String instance = moves(next()).getFirst().get("instance").toString();
        Fleet.hold(instance, b);
        next().then().body("state", equalTo("waiting")).body("under_way", equalTo(1));
        progress().then()
                .body("under_way.instance", equalTo(List.of(instance)))
                .body("instances.moved", equalTo(1))
                .body("instances.remaining", equalTo(0));
        admin().body(Map.of("host", fleet.name("b"))).put("/v1/instances/" + instance).then().statusCode(200);
        progress().then().body("state", equalTo("done")).body("instances.moved", equalTo(2));
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(0));
    }

    @Test
    void reportsStuckInstancesAndOtherAllocationsOnTheHost() {
        String a = fleet.host("a", 4);
        String instance = fleet.instanceOn("a");
        Fleet.hold(UUID.randomUUID().toString(), a);
        fleet.host("full", 1);
        fleet.instanceOn("full");
        begin(drain, body("", "a")).then().statusCode(201);
        next().then()
                .statusCode(200)
                .body("state", equalTo("stuck"))
                .body("moves", empty())
                .body("remaining", equalTo(1));
        progress().then()
                .body("state", equalTo("stuck"))
                .body("instances.stuck", equalTo(1))
                .body("stuck.instance", equalTo(List.of(instance)))
                .body("stuck[0].code", equalTo("no_valid_host"))
                .body("stuck[0].reason", notNullValue())
                .body("stuck[0].obstacles", hasSize(greaterThanOrEqualTo(1)))
                .body("hosts[0].left", equalTo(Map.of("VCPU", 1, "MEMORY_MB", 512, "DISK_GB", 10)));
        // A new host makes the move possible.
        fleet.host("new", 4);
        assertThat(moves(next())).extracting(move -> move.get("host")).containsExactly(fleet.name("new"));
    }

    @Test
    void continuesAfterAHostIsDeleted() {
        String a = fleet.host("a", 4);
        fleet.host("b", 4);
        fleet.host("c", 4);
        String instance = fleet.instanceOn("b");
        begin(drain, body("", "a", "b")).then().statusCode(201);
        placement().delete("/resource_providers/" + a).then().statusCode(204);
        progress().then().statusCode(200).body("hosts.vanished", equalTo(List.of(true, false)));
        Map<String, Object> move = moves(next()).getFirst();
        assertThat(move).containsEntry("instance", instance);
        make(move).then().statusCode(200);
        confirm(move);
        progress().then().body("state", equalTo("done")).body("instances.moved", equalTo(1));
    }

    @Test
    void countsInstancesThatArriveAndLeave() {
        fleet.host("a", 4);
        fleet.host("b", 4);
        String leaves = fleet.instanceOn("a");
        begin(drain, body("", "a")).then().statusCode(201);
        admin().delete("/v1/instances/" + leaves).then().statusCode(204);
        fleet.instanceOn("b");
        String arrives = UUID.randomUUID().toString();
        admin().body(Map.of("host", fleet.name("a"))).put("/v1/instances/" + arrives).then().statusCode(201);
        progress().then()
                .body("instances.start", equalTo(1))
                .body("instances.gone", equalTo(1))
                .body("instances.arrived", equalTo(1))
                .body("instances.remaining", equalTo(1));
    }

    @Test
    void selectsHostsByTrait() {
        fleet.host("a", 4);
        fleet.host("b", 4);
        begin(drain, "{\"select\": {\"trait\": \"" + fleet.trait() + "\"}}").then()
                .statusCode(201)
                .body("hosts.host", equalTo(List.of(fleet.name("a"), fleet.name("b"))));
    }

    static Stream<Arguments> wrongBodies() {
        return Stream.of(
                Arguments.of("{}", "$.select: is required"),
                Arguments.of("{\"select\": {}}", "$.select"),
                Arguments.of("{\"select\": {\"hosts\": []}}", "$.select.hosts: must not be empty"),
                Arguments.of("{\"select\": {\"all\": true}}", "$.select.all: no host would be left"),
                Arguments.of("{\"select\": {\"hosts\": [\"h\"], \"zone\": \"z\"}}", "$.select"),
                Arguments.of("{\"select\": {\"zone\": \"no such zone\"}}", "selects no host"),
                Arguments.of("{\"select\": {\"hosts\": [\"h\"]}, \"parallel\": 0}", "$.parallel"),
                Arguments.of("{\"select\": {\"hosts\": [\"h\"]}, \"parallel\": 1001}", "$.parallel"),
                Arguments.of("{\"select\": {\"hosts\": [\"h\"]}, \"per_host\": 101}", "$.per_host"),
                Arguments.of("{\"select\": {\"hosts\": [\"h\"]}, \"reason\": \"a\\nb\"}", "$.reason"),
                Arguments.of("{\"select\": {\"hosts\": [\"h\"]}, \"what\": 1}", "$.what"));
    }

    @ParameterizedTest
    @MethodSource("wrongBodies")
    void refusesAnInvalidBody(String body, String detail) {
        begin(drain, body).then().statusCode(400).body("errors[0].detail", containsString(detail));
    }

    @ParameterizedTest
    @ValueSource(strings = {"11111111-1111-4111-8111-111111111111", "%20", "a%0Ab", "a%E2%80%AEb"})
    void refusesInvalidDrainNames(String name) {
        admin().urlEncodingEnabled(false).body("{\"select\": {\"hosts\": [\"h\"]}}").put("/v1/drains/" + name).then()
                .statusCode(400)
                .body("errors[0].detail", containsString("name: must not"));
    }

    @Test
    void refusesUnknownHostsAndDrains() {
        begin(drain, body("", "nowhere")).then().statusCode(404);
        progress().then().statusCode(404).body("errors[0].detail", containsString("there is no drain " + drain));
        next().then().statusCode(404);
        admin().get("/v1/drains/" + drain + "/next?limit=0").then().statusCode(400);
        admin().delete("/v1/drains/" + drain + "?enable=perhaps").then().statusCode(400);
    }
}
