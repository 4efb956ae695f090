package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs moves from the API to the allocations in a real Placement. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class MovesIT {
    private final Fleet fleet = new Fleet();
    private final String migration = UUID.randomUUID().toString();

    private static Response move(String kind, String instance, String migration, String source, String spec) {
        return admin().body("""
                {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(kind, instance, migration, source, spec)).post("/v1/moves");
    }

    private static Response revert(String migration) {
        return admin().post("/v1/moves/" + migration + "/revert");
    }

    private static String registeredHost(String instance) {
        return admin().get("/v1/instances/" + instance).jsonPath().getString("host");
    }

    @Test
    void resizesOntoAnotherHostWhileTheMigrationHoldsTheSource() {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 4);
        String c = fleet.host("c", 2);
        String instance = fleet.instanceOn("a");
        Response moved = move("resize", instance, migration, a, fleet.spec(2, ""));
        moved.then()
                .statusCode(200)
                .body("selections", hasSize(1))
                .body("selections[0]", hasSize(2))
                .body("selections[0][0].compute_node_uuid", equalTo(b))
                .body("selections[0][1].compute_node_uuid", equalTo(c));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(2)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("b"));

        // The client lost the response: the same call returns it again and changes nothing.
        assertThat(move("resize", instance, migration, a, fleet.spec(2, "")).asString()).isEqualTo(moved.asString());
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(2)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void aRepeatedRevertReturnsTheSameResult() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("resize", instance, migration, a, fleet.spec(2, "")).then().statusCode(200);
        for (int i = 0; i < 2; i++) {
            revert(migration).then()
                    .statusCode(200)
                    .body("migration_uuid", equalTo(migration))
                    .body("instance_uuid", equalTo(instance))
                    .body("kind", equalTo("resize"))
                    .body("state", equalTo("reverted"));
            assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
            assertThat(allocations(migration)).isEmpty();
        }
        placement().get("/resource_providers/" + b + "/usages").then().body("usages.VCPU", equalTo(0));
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("a"));
        // A late repetition of the move must not move the instance again.
        move("resize", instance, migration, a, fleet.spec(2, "")).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", equalTo("the migration is reverted"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void refusesToRevertAConfirmedMove() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("resize", instance, migration, a, fleet.spec(2, "")).then().statusCode(200);
        placement().delete("/allocations/" + migration).then().statusCode(204);
        revert(migration).then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"))
                .body("errors[0].detail", startsWith("the migration holds no allocations"));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(2)));
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("b"));
    }

    @Test
    void aColdMigrationNeverSelectsTheSource() {
        String a = fleet.host("a", 8);
        String b = fleet.host("b", 2);
        String instance = fleet.instanceOn("a");
        move("cold", instance, migration, a, fleet.spec(1, ",\"force_hosts\":[\"" + fleet.name("a") + "\"]")).then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(b));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void aColdMigrationMaySelectTheSourceIfItsHypervisorCan() {
        String a = fleet.host("a", 8, "COMPUTE_SAME_HOST_COLD_MIGRATE");
        fleet.host("b", 2);
        String instance = fleet.instanceOn("a");
        move("cold", instance, migration, a, fleet.spec(1, "")).then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(a));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
        revert(migration).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(1));
    }

    @AfterEach
    void restore() {
        PackagedPlacement.proxy().restore();
    }

    @Test
    void everyKindOfMoveWritesAllocationsOnce() {
        String a = fleet.host("a", 8);
        fleet.host("b", 4);
        for (String kind : new String[] {"resize", "cold", "live", "evacuate"}) {
            String instance = fleet.instanceOn("a");
            List<String> writes = new CopyOnWriteArrayList<>();
            PackagedPlacement.proxy().rule(call -> {
                if (call.contains(" /allocations") && !call.startsWith("GET ")) {
                    writes.add(call);
                }
                return Fate.PASSED;
            });
            move(kind, instance, UUID.randomUUID().toString(), a, fleet.spec(1, "")).then().statusCode(200);
            assertThat(writes).containsExactly(
                    kind.equals("evacuate") ? "PUT /allocations/" + instance : "POST /allocations");
        }
    }

    @Test
    void keepsAllocationsThatAnotherClientWritesDuringTheMove() {
        String a = fleet.host("a", 8);
        fleet.host("b", 4);
        String c = fleet.host("c", 2);
        for (String kind : new String[] {"resize", "cold", "live", "evacuate"}) {
            String instance = fleet.instanceOn("a");
            AtomicBoolean isClaimed = new AtomicBoolean();
            PackagedPlacement.proxy().rule(call -> {
                if (call.contains("candidates") && isClaimed.compareAndSet(false, true)) {
                    CompletableFuture.runAsync(() -> claim(instance, c)).join();
                }
                return Fate.PASSED;
            });
            move(kind, instance, UUID.randomUUID().toString(), a, fleet.spec(1, "")).then()
                    .statusCode(409)
                    .body("errors[0].code", equalTo("scheduler.allocation_update_failed"));
            assertThat(isClaimed).isTrue();
            assertThat(allocations(instance)).as(kind).isEqualTo(Map.of(c, amounts(1)));
            placement().delete("/allocations/" + instance).then().statusCode(204);
        }
    }

    /** As after a restore of the scheduler's database from a backup: the second request has a higher number. */
    @Test
    void movesOnRetryWhenPlacementHasSeenHigherFences() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        long seen = 65_536L * 1_000_000;
        placement().body("{\"fence\": %d, \"consumers\": [{\"uuid\": \"%s\"}]}".formatted(seen, instance))
                .post("/berth/v1/settlements").then().statusCode(200);
        move("live", instance, migration, a, fleet.spec(1, "")).then()
                .statusCode(409)
                .header("Retry-After", notNullValue())
                .body("errors[0].code", equalTo("scheduler.concurrent_update"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        move("live", instance, migration, a, fleet.spec(1, "")).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
    }

    /** Claims as another client does, with the generation that it reads. */
    private static void claim(String instance, String host) {
        Integer generation = placement().get("/allocations/" + instance).jsonPath().get("consumer_generation");
        placement().body("""
                {"allocations": {"%s": {"resources": {"VCPU": 1, "MEMORY_MB": 512, "DISK_GB": 10}}},
                 "project_id": "p", "user_id": "u", "consumer_generation": %s}""".formatted(host, generation))
                .put("/allocations/" + instance).then().statusCode(204);
    }

    @Test
    void migratesLiveWithinTheCell() {
        String one = Fleet.cell("one");
        String two = Fleet.cell("two");
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 2);
        String c = fleet.host("c", 8);
        fleet.register(a, "a", one);
        fleet.register(b, "b", one);
        fleet.register(c, "c", two);
        String instance = fleet.instanceOn("a");
        move("live", instance, migration, a, fleet.spec(1, "")).then()
                .statusCode(200)
                .body("selections[0]", hasSize(1))
                .body("selections[0][0].compute_node_uuid", equalTo(b));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("b"));
    }

    @Test
    void prefersTheSourcesCellWhenAResizeMayCrossCells() {
        String one = Fleet.cell("one");
        String two = Fleet.cell("two");
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 2);
        String c = fleet.host("c", 8);
        fleet.register(a, "a", one);
        fleet.register(b, "b", one);
        fleet.register(c, "c", two);
        String crossing = ",\"requested_destination\":{\"allow_cross_cell_move\":true}";
        String instance = fleet.instanceOn("a");
        move("resize", instance, migration, a, fleet.spec(1, crossing)).then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(b));
        // This instance is too large for the cell of its source.
        String other = fleet.instanceOn("a");
        move("resize", other, UUID.randomUUID().toString(), a, fleet.spec(4, crossing)).then()
                .statusCode(200)
                .body("selections[0][0].compute_node_uuid", equalTo(c));
        String third = fleet.instanceOn("a");
        move("resize", third, UUID.randomUUID().toString(), a, fleet.spec(4, "")).then().statusCode(409);
        assertThat(allocations(third)).isEqualTo(Map.of(a, amounts(1)));
    }

    /** The server group and the availability zone of the placed instance have been deleted. */
    @Test
    void movesAnInstanceWhoseGroupAndZoneAreDeleted() {
        String cell = Fleet.cell("one");
        String a = fleet.host("a", 2);
        fleet.register(a, "a", cell);
        String b = fleet.host("b", 4);
        fleet.register(b, "b", cell);
        String group = UUID.randomUUID().toString();
        String zone = UUID.randomUUID().toString();
        admin().body("{\"policy\": \"anti-affinity\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        admin().body("""
                {"name": "%1$s", "hosts": ["%1$s"], "metadata": {"availability_zone": "%1$s"}}""".formatted(fleet.name("a")))
                .put("/v1/host_aggregates/" + zone).then().statusCode(201);
        Providers.join(a, List.of(zone));
        String names = ",\"scheduler_hints\":{\"group\":\"%s\"},\"availability_zone\":\"%s\""
                .formatted(group, fleet.name("a"));
        String instance = Fleet.instances(1).getFirst();
        Fleet.select(fleet.body(List.of(instance), names)).then().statusCode(200);
        admin().delete("/v1/server_groups/" + group).then().statusCode(204);
        admin().delete("/v1/host_aggregates/" + zone).then().statusCode(204);
        admin().body("{\"ask\": {\"drain\": {\"hosts\": [\"" + fleet.name("a") + "\"]}}}").post("/v1/what_if").then()
                .statusCode(200).body("after.drain.instances[0].host", equalTo(fleet.name("b")));
        move("live", instance, migration, a, fleet.spec(1, names)).then()
                .statusCode(200).body("selections[0][0].compute_node_uuid", equalTo(b));
        String other = Fleet.instances(1).getFirst();
        admin().body("{\"kind\": \"unshelve\", \"instance_uuid\": \"" + other + "\", \"request_spec\": "
                + fleet.spec(1, names) + "}")
                .post("/v1/moves").then().statusCode(200);
        String evacuated = Fleet.instances(1).getFirst();
        Fleet.hold(evacuated, a);
        Fleet.select("{\"keep_allocations\": true, " + fleet.body(List.of(evacuated), names).strip().substring(1))
                .then()
                .statusCode(200);
        Fleet.select(fleet.body(Fleet.instances(1), names)).then().statusCode(400)
                .body("errors[0].code", equalTo("scheduler.unknown_zone"));
    }

    @Test
    void anEvacuationKeepsTheAllocationsOnTheSource() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        Response moved = move("evacuate", instance, migration, a, fleet.spec(1, ""));
        moved.then().statusCode(200).body("selections[0]", hasSize(1)).body(
                "selections[0][0].compute_node_uuid", equalTo(b));
        Map<String, Map<String, Integer>> both = Map.of(a, amounts(1), b, amounts(1));
        assertThat(allocations(instance)).isEqualTo(both);
        assertThat(allocations(migration)).isEmpty();
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("b"));
        assertThat(move("evacuate", instance, migration, a, fleet.spec(1, "")).asString()).isEqualTo(moved.asString());
        assertThat(allocations(instance)).isEqualTo(both);

        revert(migration).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("a"));
    }

    @Test
    void refusesToRevertAnEvacuationWhoseSourceWasReleased() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("evacuate", instance, migration, a, fleet.spec(1, "")).then().statusCode(200);
        Integer generation = placement().get("/allocations/" + instance).jsonPath().getInt("consumer_generation");
        placement()
                .body(Map.of(
                        "allocations", Map.of(b, Map.of("resources", amounts(1))),
                        "project_id", "p", "user_id", "u", "consumer_generation", generation))
                .put("/allocations/" + instance).then().statusCode(204);
        revert(migration).then().statusCode(409).body("errors[0].code", equalTo("scheduler.conflict"));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
    }

    @Test
    void unshelvesAnInstanceWithoutAllocations() {
        String a = fleet.host("a", 4);
        String instance = UUID.randomUUID().toString();
        String unshelve = """
                {"kind": "unshelve", "instance_uuid": "%s", "migration_uuid": "%s", "request_spec": %s}"""
                .formatted(instance, migration, fleet.spec(1, ""));
        String moved = admin().body(unshelve).post("/v1/moves").then()
                .statusCode(200)
                .body("selections[0]", hasSize(1))
                .body("selections[0][0].compute_node_uuid", equalTo(a))
                .extract().asString();
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("a"));
        assertThat(admin().body(unshelve).post("/v1/moves").asString()).isEqualTo(moved);
        // Without the migration's uuid it is another move, of an instance that is on a host.
        admin().body(unshelve.replace("\"migration_uuid\": \"" + migration + "\",", "")).post("/v1/moves").then()
                .statusCode(409)
                .body("errors[0].code", equalTo("scheduler.conflict"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        revert(migration).then().statusCode(200);
        assertThat(allocations(instance)).isEmpty();
        admin().get("/v1/instances/" + instance).then().statusCode(404);
    }

    @Test
    void restoresTheAllocationsWhenNoHostIsFound() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        String nowhere = fleet.spec(1, ",\"ignore_hosts\":[\"" + fleet.name("b") + "\"]");
        for (String kind : new String[] {"resize", "cold", "live", "evacuate"}) {
            String failing = UUID.randomUUID().toString();
            for (int i = 0; i < 2; i++) {
                move(kind, instance, failing, a, nowhere).then()
                        .statusCode(409)
                        .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                        .body("errors[0].explanation.instances[0].preselection.hosts_out", equalTo(0));
                assertThat(allocations(instance)).as(kind).isEqualTo(Map.of(a, amounts(1)));
                assertThat(allocations(failing)).as(kind).isEmpty();
            }
            revert(failing).then().statusCode(409).body("errors[0].detail", equalTo(
                    "the move is in state failed; only a move in state moved can be confirmed or reverted"));
            move(kind, instance, UUID.randomUUID().toString(), a, fleet.spec(900, "")).then()
                    .statusCode(409)
                    .body("errors[0].detail", containsString("; needs 900 VCPU, the best provider "));
            assertThat(allocations(instance)).as(kind).isEqualTo(Map.of(a, amounts(1)));
        }
        assertThat(registeredHost(instance)).isEqualTo(fleet.name("a"));
        // The same move can be repeated when there is room.
        move("live", instance, migration, a, fleet.spec(900, "")).then().statusCode(409);
        move("live", instance, migration, a, fleet.spec(1, "")).then().statusCode(200);
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
    }

    @Test
    void refusesInvalidMoves() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        String spec = fleet.spec(1, "");
        revert(migration).then().statusCode(404).body("errors[0].code", equalTo("scheduler.not_found"));
        revert("nonsense").then().statusCode(404);
        move("teleport", instance, migration, a, spec).then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("$.kind: must be one of cold, evacuate, live, resize, unshelve"));
        move("live", instance, instance, a, spec).then().statusCode(400);
        move("live", instance, migration, UUID.randomUUID().toString(), spec).then()
                .statusCode(400)
                .body("errors[0].detail", containsString("there is no compute node"));
        move("live", instance, migration, a, fleet.spec(1, ",\"instance_uuid\":\"" + migration + "\"")).then()
                .statusCode(400)
                .body("errors[0].detail", startsWith("$.request_spec: must not name instances other than"));
        admin().body("{\"kind\":\"live\",\"instance_uuid\":\"" + instance + "\"}").post("/v1/moves").then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("$.migration_uuid: is required"));
        admin().body("[1]").post("/v1/moves").then().statusCode(400);
        move("live", UUID.randomUUID().toString(), migration, a, spec).then()
                .statusCode(409)
                .body("errors[0].detail", equalTo("the instance holds no allocations on the source"));
        move("live", instance, migration, b, spec).then()
                .statusCode(409)
                .body("errors[0].detail", equalTo("the instance holds no allocations on the source"));
        assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1)));
        move("live", instance, migration, a, spec).then().statusCode(200);
        move("cold", instance, migration, a, spec).then()
                .statusCode(409)
                .body("errors[0].detail", startsWith(
                        "the migration is recorded with another instance, kind or source"));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
    }
}
