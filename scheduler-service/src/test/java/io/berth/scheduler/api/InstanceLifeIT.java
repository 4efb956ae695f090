package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Registration of instances against their allocations in a real Placement: an instance stays registered as long as it
 * holds allocations, whichever client ends that.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class InstanceLifeIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Fleet fleet = new Fleet();

    @Inject
    Pool pool;

    @AfterEach
    void restore() {
        PackagedPlacement.proxy().restore();
    }

    private RowSet<Row> execute(String sql, Object... params) {
        return pool.preparedQuery(sql).execute(Tuple.from(params)).await().atMost(LIMIT);
    }

    private String placed(String more) {
        String instance = instances(1).getFirst();
        select(fleet.body(List.of(instance), more)).then().statusCode(200);
        return instance;
    }

    private static boolean isRegistered(String instance) {
        return admin().get("/v1/instances/" + instance).statusCode() == 200;
    }

    private static String hostOf(String instance) {
        return admin().get("/v1/instances/" + instance).then().statusCode(200).extract().path("host");
    }

    private static ValidatableResponse delete(String instance) {
        return admin().delete("/v1/instances/" + instance).then();
    }

    private static void releaseAllocations(String instance) {
        placement().delete("/allocations/" + instance).then().statusCode(204);
    }

    private static void declare(String instance, String host) {
        admin().body(Map.of("host", host)).put("/v1/instances/" + instance).then().statusCode(201);
    }

    private static void assertRefusedAsOpen(ValidatableResponse response) {
        response.statusCode(409)
                .header("retry-after", notNullValue())
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
    }

    // ---- deletion through the scheduler's API

    @Test
    void deletesTheRegistrationAndTheAllocations() {
        fleet.host("only", 1);
        String instance = placed("");
        delete(instance).statusCode(204);
        assertThat(allocations(instance)).isEmpty();
        assertThat(isRegistered(instance)).isFalse();
        assertThat(execute("SELECT FROM request_instances WHERE instance = $1", UUID.fromString(instance)).size())
                .isZero();
        delete(instance).statusCode(404);
        // There is room for another instance, and then for the same one again.
        String another = placed("");
        delete(another).statusCode(204);
        select(fleet.body(List.of(instance), "")).then().statusCode(200);
    }

    /**
     * The registration changes between the two steps of the deletion, as by the comparison with placement or a node's
     * report.
     */
    @ParameterizedTest
    @ValueSource(strings = {
        "DELETE FROM instances WHERE uuid = $1",
        "UPDATE instances SET version = version + 1 WHERE uuid = $1"
    })
    void deletesAnInstanceWhoseRegistrationChangesMeanwhile(String change) {
        fleet.host("only", 1);
        String instance = placed("");
        AtomicBoolean changed = new AtomicBoolean();
        PackagedPlacement.proxy().rule(call -> {
            if (call.equals("DELETE /allocations/" + instance) && changed.compareAndSet(false, true)) {
                CompletableFuture.runAsync(() -> execute(change, UUID.fromString(instance))).join();
            }
            return Fate.PASSED;
        });
        delete(instance).statusCode(204);
        assertThat(changed).isTrue();
        assertThat(allocations(instance)).isEmpty();
        assertThat(isRegistered(instance)).isFalse();
        assertThat(execute("SELECT FROM request_instances WHERE instance = $1", UUID.fromString(instance)).size())
                .isZero();
    }

    @Test
    void deletesInstancesThatOnlyPlacementOrTheRegistryHas() {
        String a = fleet.host("a", 8);
        String declared = UUID.randomUUID().toString();
        declare(declared, fleet.name("a"));
        delete(declared).statusCode(204);
        assertThat(isRegistered(declared)).isFalse();
        String unregistered = UUID.randomUUID().toString();
        hold(unregistered, a);
        delete(unregistered).statusCode(204);
        assertThat(allocations(unregistered)).isEmpty();
    }

    private static void hold(String instance, String host) {
        placement()
                .body(Map.of(
                        "allocations", Map.of(host, Map.of("resources", amounts(1))),
                        "project_id", "p", "user_id", "u"))
                .header("openstack-api-version", "placement 1.27")
                .put("/allocations/" + instance).then().statusCode(204);
    }

    @Test
    void aDeletionWithoutPlacementChangesNothingAndSucceedsOnRetry() {
        String a = fleet.host("a", 8);
        String instance = placed("");
        PackagedPlacement.proxy().cut();
        delete(instance).statusCode(503).body("errors[0].code", equalTo("scheduler.placement_unavailable"));
        assertThat(isRegistered(instance)).isTrue();
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        PackagedPlacement.proxy().restore();
        // The service settles the deletion itself from time to time.
        eventually("the instance is deleted", () -> delete(instance).extract().statusCode() == 204);
        assertThat(allocations(instance)).isEmpty();
        assertThat(isRegistered(instance)).isFalse();
    }

    /** Once the lost request is settled, placement would refuse it if it still arrived. */
    @Test
    void aRepeatedDeletionSettlesALostRelease() {
        String a = fleet.host("a", 8);
        String instance = placed("");
        AtomicInteger lost = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> call.equals("DELETE /allocations/" + instance)
                && lost.getAndIncrement() < 1 ? Fate.REQUEST_LOST : Fate.PASSED);
        delete(instance).statusCode(503);
        delete(instance).statusCode(204);
        select(fleet.body(List.of(instance), "")).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
    }

    /** With two lost claims, each was for another host. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void deletesAndPlacesAgainAfterASelectionWithLostClaims(int lost) {
        fleet.host("a", 8);
        fleet.host("b", 8);
        String instance = instances(1).getFirst();
        String body = fleet.body(List.of(instance), "");
        loseClaims(instance, lost);
        select(body).then().statusCode(200);
        delete(instance).statusCode(204);
        assertThat(isRegistered(instance)).isFalse();
        select(body).then().statusCode(200);
    }

    /** Loses the first requests, at most this many. */
    private static void loseClaims(String instance, int most) {
        AtomicInteger lost = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> call.equals("PUT /allocations/" + instance)
                && lost.getAndIncrement() < most ? Fate.REQUEST_LOST : Fate.PASSED);
    }

    private static void loseMoveClaims(String instance, int most) {
        AtomicInteger lost = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> isMoveClaim(call, instance)
                && lost.getAndIncrement() < most ? Fate.REQUEST_LOST : Fate.PASSED);
    }

    private static boolean isMoveClaim(String call, String instance) {
        return call.equals("POST /allocations") || call.equals("PUT /allocations/" + instance);
    }

    /** Places the instance on b after two claims on a, the best host, were lost. */
    private Response placeAfterLostClaims(String instance) {
        loseClaims(instance, 2);
        Response placed = select(fleet.body(List.of(instance), ""));
        placed.then().statusCode(200).body("selections[0][0].host", equalTo(fleet.name("b")));
        return placed;
    }

    /** A claim without a response is settled: it can no longer commit, so nothing has to wait for it. */
    @Test
    void deletesAndPlacesAgainAfterAMoveWithLostClaims() {
        String cell = Fleet.cell("cell");
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 4);
        String c = fleet.host("c", 2);
        fleet.register(a, "a", cell);
        fleet.register(b, "b", cell);
        fleet.register(c, "c", cell);
        for (String kind : List.of("resize", "evacuate")) {
            String instance = placed(",\"ignore_hosts\":[\"" + fleet.name("a") + "\"]");
            assertThat(hostOf(instance)).isEqualTo(fleet.name("b"));
            loseMoveClaims(instance, 2);
            move(instance, kind, b, "").then().statusCode(200);
            assertThat(hostOf(instance)).as("both claims on a were lost").isEqualTo(fleet.name("c"));
            delete(instance).statusCode(204);
            select(fleet.body(List.of(instance), "")).then().statusCode(200);
            delete(instance).statusCode(204);
        }
    }

    /** The claim was committed, though its response is lost. */
    @Test
    void movesWithAClaimWhoseResponseIsLost() {
        String cell = Fleet.cell("cell");
        fleet.register(fleet.host("a", 8), "a", cell);
        String b = fleet.host("b", 4);
        fleet.register(b, "b", cell);
        for (String kind : List.of("resize", "evacuate")) {
            String instance = placed(",\"ignore_hosts\":[\"" + fleet.name("a") + "\"]");
            PackagedPlacement.proxy().rule(call -> isMoveClaim(call, instance) ? Fate.ANSWER_LOST : Fate.PASSED);
            move(instance, kind, b, "").then().statusCode(200);
            assertThat(hostOf(instance)).isEqualTo(fleet.name("a"));
            PackagedPlacement.proxy().restore();
            delete(instance).statusCode(204);
        }
    }

    /** No claim arrives, and no settlement gets a response while the move runs. */
    @Test
    void rollsBackAFailedMoveOncePlacementAnswers() throws InterruptedException {
        String cell = Fleet.cell("cell");
        fleet.register(fleet.host("a", 8), "a", cell);
        String b = fleet.host("b", 4);
        fleet.register(b, "b", cell);
        String instance = placed(",\"ignore_hosts\":[\"" + fleet.name("a") + "\"]");
        PackagedPlacement.proxy().rule(call -> isMoveClaim(call, instance) || call.contains("/settlements")
                ? Fate.REQUEST_LOST
                : Fate.PASSED);
        move(instance, "resize", b, "").then().statusCode(503);
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        PackagedPlacement.proxy().restore();
        eventually("the move is rolled back and the instance deleted",
                () -> delete(instance).extract().statusCode() == 204);
        select(fleet.body(List.of(instance), "")).then().statusCode(200);
    }

    private Response move(String instance, String kind, String source, String more) {
        return admin().body("""
                {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(kind, instance, UUID.randomUUID(), source, fleet.spec(1, more)))
                .post("/v1/moves");
    }

    /** The instance holds allocations at every moment. */
    @Test
    void noOtherClaimSucceedsDuringAReschedule() {
        String a = fleet.host("a", 8);
        fleet.host("b", 4);
        String c = fleet.host("c", 2);
        String instance = instances(1).getFirst();
        List<Map<String, Object>> hosts = placeAfterLostClaims(instance).jsonPath().getList("selections[0]");
        assertThat(hosts.getLast()).containsEntry("compute_node_uuid", c);
        Map<String, Object> reschedule = Map.of(
                "instance_uuid", instance, "project_id", "p", "user_id", "u",
                "failed", hosts.getFirst(), "alternates", List.of(hosts.getLast()));
        List<Integer> others = new CopyOnWriteArrayList<>();
        PackagedPlacement.proxy().rule(call -> {
            if (call.startsWith("PUT /allocations/")) {
                others.add(CompletableFuture.supplyAsync(() -> claimAsNew(instance, a)).join());
            }
            return Fate.PASSED;
        });
        admin().body(reschedule).post("/v1/reschedule").then().statusCode(200);
        assertThat(others).as("the reschedule writes once, and the other claim before it is refused")
                .containsExactly(409);
        assertThat(claimAsNew(instance, a)).isEqualTo(409);
        assertThat(allocations(instance)).isEqualTo(Map.of(c, amounts(1)));
    }

    /** Claims as for a new instance. */
    private static int claimAsNew(String instance, String host) {
        Map<String, Object> claim = new HashMap<>(Map.of(
                "allocations", Map.of(host, Map.of("resources", amounts(1))), "project_id", "p", "user_id", "u"));
        claim.put("consumer_generation", null);
        return placement().body(claim).put("/allocations/" + instance).statusCode();
    }

    @Test
    void unshelvesAgainAfterARevert() {
        fleet.host("a", 8);
        fleet.host("b", 4);
        String instance = instances(1).getFirst();
        String migration = UUID.randomUUID().toString();
        loseClaims(instance, 2);
        String body =
                "{\"kind\": \"unshelve\", \"instance_uuid\": \"%s\", \"migration_uuid\": \"%s\", \"request_spec\": %s}";
        admin().body(body.formatted(instance, migration, fleet.spec(1, ""))).post("/v1/moves").then().statusCode(200);
        admin().post("/v1/moves/" + migration + "/revert").then().statusCode(200);
        assertThat(allocations(instance)).isEmpty();
        String again = body.formatted(instance, UUID.randomUUID(), fleet.spec(1, ""));
        admin().body(again).post("/v1/moves").then().statusCode(200);
    }

    /** Another client, such as nova-manage, claims while hosts are being selected. */
    @Test
    void unshelvingKeepsAllocationsThatAnotherClientWroteMeanwhile() {
        String a = fleet.host("a", 8);
        fleet.host("b", 4);
        String instance = instances(1).getFirst();
        declare(instance, fleet.name("a"));
        AtomicInteger claims = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> {
            if (call.equals("PUT /allocations/" + instance) && claims.incrementAndGet() == 1) {
                CompletableFuture.runAsync(() -> hold(instance, a)).join();
            }
            return Fate.PASSED;
        });
        admin().body("{\"kind\": \"unshelve\", \"instance_uuid\": \"%s\", \"request_spec\": %s}"
                .formatted(instance, fleet.spec(1, ""))).post("/v1/moves").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.allocation_update_failed"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void aRepeatedRequestReportsNoValidHost() {
        String a = fleet.host("a", 1);
        String instance = instances(1).getFirst();
        String body = fleet.body(List.of(instance), "");
        PackagedPlacement.proxy()
                .rule(call -> call.equals("PUT /allocations/" + instance) ? Fate.REQUEST_LOST : Fate.PASSED);
        select(body).then().statusCode(503);
        PackagedPlacement.proxy().restore();
        hold(instances(1).getFirst(), a);
        for (int i = 0; i < 3; i++) {
            select(body).then().body("errors[0].code", equalTo("scheduler.no_valid_host"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFailedDeletionKeepsTheAllocations(int lostClaims) throws InterruptedException {
        fleet.host("a", 8);
        fleet.host("b", 8);
        String instance = instances(1).getFirst();
        loseClaims(instance, lostClaims);
        select(fleet.body(List.of(instance), "")).then().statusCode(200);
        var held = allocations(instance);
        PackagedPlacement.proxy()
                .rule(call -> call.contains("/allocations/" + instance) ? Fate.REQUEST_LOST : Fate.PASSED);
        delete(instance).statusCode(503);
        PackagedPlacement.proxy().rule(call -> Fate.PASSED);
        assertThat(execute("SELECT FROM request_leases WHERE key = 'delete:' || $1", instance).size()).isZero();
        assertThat(allocations(instance)).isEqualTo(held);
        assertThat(isRegistered(instance)).isTrue();
    }

    @Test
    void aRepeatedDeletionLeavesNothingThatReleasesLaterAllocations() {
        String a = fleet.host("a", 8);
        fleet.host("b", 4);
        String instance = instances(1).getFirst();
        placeAfterLostClaims(instance);
        AtomicInteger lost = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> call.equals("DELETE /allocations/" + instance)
                && lost.getAndIncrement() < 1 ? Fate.REQUEST_LOST : Fate.PASSED);
        delete(instance).statusCode(503);
        delete(instance).statusCode(204);
        hold(instance, a);
        assertThat(execute("SELECT FROM request_leases WHERE key = 'delete:' || $1", instance).size()).isZero();
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
    }

    /** No request of the last day placed this instance; it may have been imported. */
    @Test
    void aFailedRequestKeepsExistingAllocations() {
        String a = fleet.host("a", 8);
        fleet.host("b", 4);
        String instance = instances(1).getFirst();
        hold(instance, a);
        declare(instance, fleet.name("a"));
        PackagedPlacement.proxy()
                .rule(call -> call.equals("PUT /allocations/" + instance) ? Fate.REQUEST_LOST : Fate.PASSED);
        select(fleet.body(List.of(instance), "")).then().statusCode(503);
        PackagedPlacement.proxy().restore();
        select(fleet.body(List.of(instance), "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.already_placed"));
        assertThat(execute("SELECT FROM request_records WHERE $1 = ANY(instances)", UUID.fromString(instance)))
                .isEmpty();
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(hostOf(instance)).isEqualTo(fleet.name("a"));
    }

    /**
     * The allocations are deleted right after the response, before the record is closed; the next requests need not
     * wait for that.
     */
    @Test
    void deletesAtOnceAfterItsAllocationsWereDeletedInPlacement() {
        fleet.host("a", 16);
        for (int i = 0; i < 10; i++) {
            String instance = instances(1).getFirst();
            String body = fleet.body(List.of(instance), "");
            select(body).then().statusCode(200);
            placement().delete("/allocations/" + instance).then().statusCode(204);
            // It may have been unregistered in the meantime.
            assertThat(admin().delete("/v1/instances/" + instance).statusCode()).isIn(204, 404);
            select(body).then().statusCode(200);
            placement().delete("/allocations/" + instance).then().statusCode(204);
            select(body).then().statusCode(200);
        }
    }

    @Test
    void aDeletionSucceedsThoughTheResponseOfTheReleaseIsLost() {
        fleet.host("a", 8);
        String instance = placed("");
        AtomicInteger lost = new AtomicInteger();
        PackagedPlacement.proxy().rule(call -> call.startsWith("DELETE /allocations/" + instance)
                && lost.getAndIncrement() < 1 ? Fate.ANSWER_LOST : Fate.PASSED);
        delete(instance).statusCode(204);
        assertThat(lost).hasValue(1);
        assertThat(allocations(instance)).isEmpty();
        delete(instance).statusCode(404);
        assertThat(isRegistered(instance)).isFalse();
    }

    @Test
    void refusesADeletionWhileASelectionIsOpen() throws InterruptedException {
        String a = fleet.host("a", 8);
        String instance = placed("");
        UUID uuid = UUID.fromString(instance);
        eventually("the record of the selection is closed", () -> execute(
                "SELECT FROM request_records WHERE $1 = ANY(instances)"
                        + " AND NOT EXISTS (SELECT FROM request_leases WHERE request_leases.key = request_records.key)",
                uuid).size() == 1);
        execute("UPDATE request_records SET answer = NULL WHERE $1 = ANY(instances)", uuid);
        execute("INSERT INTO request_leases (key, number, lease_until) SELECT key, nextval('fences') * 65536, now() +"
                + " interval '1 hour' FROM request_records WHERE $1 = ANY(instances)", uuid);
        assertRefusedAsOpen(delete(instance));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(isRegistered(instance)).isTrue();
        // Its replica is gone, so the open request is rolled back first. The periodic cleanup may do it before this
        // call.
        execute("UPDATE request_leases SET lease_until = now() - interval '1 s' FROM request_records"
                + " WHERE request_leases.key = request_records.key AND $1 = ANY(instances)", uuid);
        eventually("the instance is deleted",
                () -> Set.of(204, 404).contains(admin().delete("/v1/instances/" + instance).statusCode()));
        assertThat(allocations(instance)).isEmpty();
        assertThat(isRegistered(instance)).isFalse();
    }

    @Test
    void refusesADeletionWhileAMoveIsOpen() throws InterruptedException {
        String a = fleet.host("a", 8);
        String instance = placed("");
        openMove(instance);
        assertRefusedAsOpen(delete(instance));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(isRegistered(instance)).isTrue();
        execute("DELETE FROM moves WHERE instance_uuid = $1", UUID.fromString(instance));
        delete(instance).statusCode(204);
    }

    private void awaitClosedSelection(String instance) {
        eventually("the record of the selection is closed", () -> execute(
                "SELECT FROM request_records JOIN request_leases USING (key) WHERE $1 = ANY(instances)",
                UUID.fromString(instance)).size() == 0);
    }

    private void openMove(String instance) {
        awaitClosedSelection(instance);
        execute("INSERT INTO moves (migration_uuid, instance_uuid, kind, state, held_before, request_id, number,"
                + " lease_until) VALUES (gen_random_uuid(), $1, 'live', 'started', '{}', 'req-1', 1,"
                + " now() + interval '1 hour')", UUID.fromString(instance));
    }

    // ---- allocations deleted in placement

    @Test
    void freesTheHostForTheGroupWhenTheAllocationsAreDeleted() throws InterruptedException {
        fleet.host("only", 8);
        String group = UUID.randomUUID().toString();
        admin().body(Map.of("policy", "anti-affinity")).put("/v1/server_groups/" + group).then().statusCode(201);
        String grouped = ",\"scheduler_hints\":{\"group\":[\"" + group + "\"]}";
        String first = placed(grouped);
        String next = fleet.body(instances(1), grouped);
        select(next).then().statusCode(409);
        releaseAllocations(first);
        eventually("the host is free for the group", () -> select(next).statusCode() == 200);
        assertThat(isRegistered(first)).isFalse();
    }

    /** As in a move by nova-conductor: the allocations go to the migration and return when the move fails. */
    @Test
    void registersAnInstanceAgainWhenItsAllocationsReturn() {
        String a = fleet.host("a", 8);
        fleet.register(a, "a", Fleet.cell("cell"));
        String group = UUID.randomUUID().toString();
        admin().body(Map.of("policy", "anti-affinity")).put("/v1/server_groups/" + group).then().statusCode(201);
        String grouped = ",\"scheduler_hints\":{\"group\":[\"" + group + "\"]}";
        String instance = placed(grouped);
        releaseAllocations(instance);
        eventually("the instance is unregistered", () -> !isRegistered(instance));
        hold(instance, a);
        eventually("the instance is registered again", () -> isRegistered(instance));
        admin().get("/v1/instances/" + instance).then()
                .statusCode(200)
                .body("host", equalTo(fleet.name("a")))
                .body("nodename", equalTo(fleet.name("a")));
        select(fleet.body(instances(1), grouped)).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"));
    }

    @Test
    void keepsInstancesThatNeverHeldAllocations() throws InterruptedException {
        fleet.host("a", 8);
        String declared = UUID.randomUUID().toString();
        declare(declared, fleet.name("a"));
        String instance = placed("");
        releaseAllocations(instance);
        eventually("the instance is unregistered", () -> !isRegistered(instance));
        compareAll();
        assertThat(hostOf(declared)).isEqualTo(fleet.name("a"));
    }

    /** Waits until every registered instance has been compared with placement. */
    private void compareAll() throws InterruptedException {
        String last = "ffffffff-ffff-4fff-bfff-" + UUID.randomUUID().toString().substring(24);
        fleet.host("last", 8);
        select(fleet.body(List.of(last), "")).then().statusCode(200);
        releaseUnreported(last);
        eventually("all instances have been compared", () -> !isRegistered(last));
    }

    /** Releases the allocations without an entry in placement's released consumers. */
    private void releaseUnreported(String instance) {
        PackagedPlacement.proxy().rule(
                call -> call.startsWith("GET /berth/v1/released_consumers") ? Fate.REQUEST_LOST : Fate.PASSED);
        releaseAllocations(instance);
        execute("DELETE FROM placement.released_consumers WHERE uuid = $1", UUID.fromString(instance));
        PackagedPlacement.proxy().restore();
    }

    @Test
    void unregistersInstancesThatReleasedConsumersDoesNotList() throws InterruptedException {
        String a = fleet.host("a", 8);
        String placedInstance = placed("");
        String declared = UUID.randomUUID().toString();
        declare(declared, fleet.name("a"));
        hold(declared, a);
        eventually("the instance was seen to hold allocations", () -> execute(
                "SELECT FROM instances WHERE uuid = $1 AND NOT declared", UUID.fromString(declared)).size() == 1);
        releaseUnreported(placedInstance);
        releaseUnreported(declared);
        eventually("both instances are unregistered", () -> !isRegistered(placedInstance) && !isRegistered(declared));
    }

    @Test
    void keepsAnInstanceRegisteredWhileAMoveIsOpen() throws InterruptedException {
        fleet.host("a", 8);
        String moving = placed("");
        openMove(moving);
        releaseAllocations(moving);
        String other = placed("");
        releaseAllocations(other);
        eventually("the other instance is unregistered", () -> !isRegistered(other));
        assertThat(isRegistered(moving)).isTrue();
        execute("DELETE FROM moves WHERE instance_uuid = $1", UUID.fromString(moving));
        eventually("the instance is unregistered", () -> !isRegistered(moving));
    }

    @Test
    void unshelvesIntoTheCellOfTheShelvedInstance() throws InterruptedException {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 100);
        fleet.register(a, "a", Fleet.cell("one"));
        fleet.register(b, "b", Fleet.cell("two"));
        String instance = placed(forcedTo("a"));
        releaseAllocations(instance);
        eventually("the instance is unregistered", () -> !isRegistered(instance));
        unshelve(instance).body("selections[0][0].host", equalTo(fleet.name("a")));
        assertThat(hostOf(instance)).isEqualTo(fleet.name("a"));
    }

    private ValidatableResponse unshelve(String instance) {
        return admin()
                .body("{\"kind\": \"unshelve\", \"instance_uuid\": \"%s\", \"request_spec\": %s}"
                        .formatted(instance, fleet.spec(1, "")))
                .post("/v1/moves").then()
                .statusCode(200);
    }

    // ---- reports of compute nodes

    private String node(String name) {
        return node(name, Fleet.cell("cell"));
    }

    private String node(String name, String cell) {
        String uuid = fleet.host(name, 8);
        fleet.register(uuid, name, cell);
        return uuid;
    }

    private static ValidatableResponse list(String node, Object... instances) {
        return admin().body(Map.of("instances", List.of(instances)))
                .put("/v1/compute_nodes/" + node + "/instances").then();
    }

    private static Map<String, Object> listed(String instance) {
        return Map.of(
                "uuid", instance, "project_id", "p1", "instance_type_id", 7,
                "image_properties", Map.of("os_distro", "debian"));
    }

    /** Backdates the requests of an instance by an hour. */
    private void age(String instance) {
        awaitClosedSelection(instance);
        UUID uuid = UUID.fromString(instance);
        execute("UPDATE request_records SET begun_at = now() - interval '1 hour' WHERE $1 = ANY(instances)", uuid);
        execute("UPDATE moves SET changed_at = now() - interval '1 hour' WHERE instance_uuid = $1", uuid);
    }

    @Test
    void aReportReplacesTheInstancesRegisteredOnTheNode() {
        String a = node("a");
        node("b");
        String gone = UUID.randomUUID().toString();
        String elsewhere = UUID.randomUUID().toString();
        String onIt = UUID.randomUUID().toString();
        declare(gone, fleet.name("a"));
        declare(elsewhere, fleet.name("b"));
        list(a, listed(onIt)).statusCode(204);
        assertThat(isRegistered(gone)).isFalse();
        assertThat(hostOf(elsewhere)).isEqualTo(fleet.name("b"));
        admin().get("/v1/instances/" + onIt).then()
                .statusCode(200)
                .body("version", equalTo(0))
                .body("host", equalTo(fleet.name("a")))
                .body("nodename", equalTo(fleet.name("a")))
                .body("project_id", equalTo("p1"))
                .body("instance_type_id", equalTo(7))
                .body("image_properties.os_distro", equalTo("debian"));
        // The same report again changes nothing; an instance of the other host is registered here now.
        list(a, listed(onIt), listed(elsewhere)).statusCode(204);
        admin().get("/v1/instances/" + onIt).then().body("version", equalTo(0));
        assertThat(hostOf(elsewhere)).isEqualTo(fleet.name("a"));
        list(a).statusCode(204);
        assertThat(isRegistered(onIt)).isFalse();
    }

    @Test
    void aReportKeepsAllocationsAndRecentlyPlacedInstances() throws InterruptedException {
        String a = node("a");
        String instance = placed("");
        list(a).statusCode(204);
        assertThat(isRegistered(instance)).as("the instance was placed recently").isTrue();
        age(instance);
        openMove(instance);
        list(a).statusCode(204);
        assertThat(isRegistered(instance)).as("a move of the instance is open").isTrue();
        execute("DELETE FROM moves WHERE instance_uuid = $1", UUID.fromString(instance));
        list(a).statusCode(204);
        assertThat(isRegistered(instance)).isFalse();
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void aRefusedDeletionLeavesARecentInstanceProtectedFromReports() {
        String a = node("a");
        String instance = placed("");
        admin().header("If-Match", "\"99\"").delete("/v1/instances/" + instance).then().statusCode(412);
        list(a).statusCode(204);
        assertThat(isRegistered(instance)).as("the instance was placed recently").isTrue();
    }

    @Test
    void aReportFromBeforeAMoveDoesNotReturnTheInstance() {
        String cell = Fleet.cell("cell");
        String a = node("a", cell);
        node("b", cell);
        String instance = placed(forcedTo("a"));
        age(instance);
        moveLive(instance, a);
        assertThat(hostOf(instance)).isEqualTo(fleet.name("b"));
        list(a, listed(instance)).statusCode(204);
        assertThat(hostOf(instance)).as("the report may be older than the move").isEqualTo(fleet.name("b"));
        age(instance);
        list(a, listed(instance)).statusCode(204);
        assertThat(hostOf(instance)).as("the move is long past, so the report counts").isEqualTo(fleet.name("a"));
    }

    /** Copying may take longer than the time for which a move outweighs nodes' reports. */
    @Test
    void aMovingMemberOccupiesBothHostsForItsGroup() {
        String cell = Fleet.cell("cell");
        String a = node("a", cell);
        String b = node("b", cell);
        String group = UUID.randomUUID().toString();
        admin().body(Map.of("policy", "anti-affinity")).put("/v1/server_groups/" + group).then().statusCode(201);
        String grouped = ",\"scheduler_hints\":{\"group\":[\"" + group + "\"]}";
        String instance = placed(grouped + forcedTo("a"));
        age(instance);
        moveLive(instance, a);
        age(instance);
        list(a, listed(instance)).statusCode(204);
        list(b).statusCode(204);
        assertThat(hostOf(instance)).isEqualTo(fleet.name("b"));
        for (String host : List.of("a", "b")) {
            select(fleet.body(instances(1), grouped + forcedTo(host))).then().statusCode(409);
        }
    }

    /** The later reschedule would go to the host of the group's other member and is refused. */
    @Test
    void aMemberMissingFromAReportStaysInItsGroup() {
        String cell = Fleet.cell("cell");
        String a = node("a", cell);
        String b = node("b", cell);
        String group = UUID.randomUUID().toString();
        admin().body(Map.of("policy", "anti-affinity")).put("/v1/server_groups/" + group).then().statusCode(201);
        String grouped = ",\"scheduler_hints\":{\"group\":[\"" + group + "\"]}";
        String instance = instances(1).getFirst();
        List<Map<String, Object>> hosts = select(fleet.body(List.of(instance), grouped)).then()
                .statusCode(200).extract().jsonPath().getList("selections[0]");
        boolean isOnA = hosts.getFirst().get("compute_node_uuid").equals(a);
        placed(grouped + forcedTo(isOnA ? "b" : "a"));
        age(instance);
        list(isOnA ? a : b).statusCode(204);
        assertThat(isRegistered(instance)).isFalse();
        admin().body(Map.of(
                "instance_uuid", instance, "project_id", "p", "user_id", "u",
                "failed", hosts.getFirst(), "alternates", hosts.subList(1, 2)))
                .post("/v1/reschedule").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"));
        assertThat(allocations(instance)).isEmpty();
    }

    @Test
    void anInstanceMissingFromAReportKeepsItsCell() {
        String a = node("a", Fleet.cell("one"));
        fleet.register(fleet.host("b", 100), "b", Fleet.cell("two"));
        String instance = placed(forcedTo("a"));
        age(instance);
        list(a).statusCode(204);
        assertThat(isRegistered(instance)).isFalse();
        releaseAllocations(instance);
        unshelve(instance).body("selections[0][0].host", equalTo(fleet.name("a")));
    }

    private String forcedTo(String host) {
        return ",\"force_hosts\":[\"" + fleet.name(host) + "\"]";
    }

    private void moveLive(String instance, String source) {
        move(instance, "live", source, "").then().statusCode(200);
    }

    /** Deletions lock instances in the order of their uuids; the report lists an instance that it keeps. */
    @Test
    void aReportDoesNotDeadlockWithADeletionOfSeveralInstances() {
        String a = node("a");
        List<String> three = instances(3).stream().sorted().toList();
        three.forEach(each -> declare(each, fleet.name("a")));
        SqlConnection deletion = pool.getConnection().await().atMost(LIMIT);
        deletion.query("BEGIN; SET LOCAL deadlock_timeout = '1h'").execute().await().atMost(LIMIT);
        delete(deletion, three.getFirst());
        var response = CompletableFuture.supplyAsync(() -> list(a, listed(three.getLast())));
        eventually("the report waits for a lock", () -> PostgresForTests.countWaitingForLock("left_alone") == 1);
        delete(deletion, three.getLast());
        deletion.query("COMMIT").execute().await().atMost(LIMIT);
        deletion.close().await().atMost(LIMIT);
        response.join().statusCode(204);
        three.forEach(each -> assertThat(isRegistered(each)).isFalse());
    }

    private static void delete(SqlConnection connection, String instance) {
        connection.query("DELETE FROM instances WHERE uuid = '" + instance + "'").execute().await().atMost(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{}",
        "{\"instances\": {}}",
        "{\"instances\": [{}]}",
        "{\"instances\": [{\"uuid\": \"1\"}]}",
        "{\"instances\": [1]}",
        "{\"instances\": [], \"more\": 1}",
        "{\"instances\": [{\"uuid\": \"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa\", \"host\": \"h\"}]}",
        "{\"instances\": [{\"uuid\": \"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa\", \"image_properties\": 1}]}",
        "{\"instances\": [{\"uuid\": \"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa\"},"
                + " {\"uuid\": \"AAAAAAAA-aaaa-4aaa-8aaa-aaaaaaaaaaaa\"}]}"})
    void refusesInvalidReports(String body) {
        admin().body(body).put("/v1/compute_nodes/" + UUID.randomUUID() + "/instances").then()
                .statusCode(400)
                .body("errors[0].code", equalTo("scheduler.request_invalid"))
                .body("errors[0].detail", containsString("$"));
    }

    @Test
    void refusesReportsThatAreTooLongOrFromUnknownNodes() {
        String a = node("a");
        String declared = UUID.randomUUID().toString();
        declare(declared, fleet.name("a"));
        List<Object> many = new ArrayList<>(Collections.nCopies(5_001, Map.of("uuid", declared)));
        admin().body(Map.of("instances", many)).put("/v1/compute_nodes/" + a + "/instances").then()
                .statusCode(400)
                .body("errors[0].detail", containsString("5000"));
        list(UUID.randomUUID().toString()).statusCode(404);
        assertThat(isRegistered(declared)).isTrue();
    }
}
