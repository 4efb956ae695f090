package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.hold;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.nova.database.NovaTables;
import io.restassured.response.ValidatableResponse;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Server groups whose members nova moves itself, with simulated tables of nova and a real Placement. */
@Tag("process")
class GroupsOfNovaIT {
    private static final Vertx VERTX = Vertx.vertx();
    /** NOVA[0] is the API database, NOVA[1] that of the only cell. */
    private static final NovaTables[] NOVA = NovaTables.of(PostgresForTests.url(), UUID.randomUUID(), VERTX);

    @Order(1)
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(Map.of(
            "berth.nova.api-database", NOVA[0].connection(),
            // The setting for use in place of nova-scheduler.
            "berth.scheduler.strict-names", "false",
            "berth.scheduler.default.service-down-time", "86400"));

    private final Fleet fleet = new Fleet();

    @AfterAll
    static void stop() {
        VERTX.close().toCompletionStage().toCompletableFuture().join();
    }

    private String host(String name) {
        String uuid = fleet.host(name, 8);
        NOVA[1].host(UUID.fromString(uuid), fleet.name(name));
        return uuid;
    }

    /** Registers a group and returns the scheduler hint for it. */
    private static String group(String policy) {
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\":\"" + policy + "\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        return ",\"scheduler_hints\":{\"group\":\"" + group + "\"}";
    }

    private ValidatableResponse place(String instance, String more) {
        return select(fleet.body(List.of(instance), more)).then();
    }

    /** Places a member on the host and writes it to nova's database as running there. */
    private String memberOn(String name, String group) {
        String instance = UUID.randomUUID().toString();
        place(instance, group + ",\"force_hosts\":[\"" + fleet.name(name) + "\"]").statusCode(200);
        NOVA[1].instance(UUID.fromString(instance), fleet.name(name));
        NOVA[1].task(instance, fleet.name(name), null);
        return instance;
    }

    @Test
    void aResizeThatNovaRevertedFreesItsTargetHost() {
        String a = host("a");
        host("b");
        String c = host("c");
        String group = group("anti-affinity");
        String moving = memberOn("a", group);
        memberOn("b", group);
        NOVA[1].task(moving, fleet.name("a"), "resize_prep");
        String migration = UUID.randomUUID().toString();
        admin().body("""
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(moving, migration, a, fleet.spec(1, group)))
                .post("/v1/moves").then().statusCode(200);
        assertThat(allocations(moving)).containsOnlyKeys(c);
        String next = UUID.randomUUID().toString();
        // nova's record names the old host while the compute works on the resize.
        place(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("c"), "resize_finish");
        place(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("c"), null);
        place(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("c"), "resize_reverting");
        placement().delete("/allocations/" + migration).then().statusCode(204);
        hold(moving, a);
        NOVA[1].task(moving, fleet.name("a"), "resize_reverting");
        place(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("a"), null);
        place(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(c);
        place(UUID.randomUUID().toString(), group).statusCode(409);
    }

    @Test
    void affinityFollowsMembersThatNovaMigrated() {
        host("a");
        String b = host("b");
        String group = group("affinity");
        for (String each : List.of(memberOn("a", group), memberOn("a", group))) {
            hold(each, b);
            // The migration is not confirmed yet, but in an affinity group nova counts a member where it is now.
            NOVA[1].migration(each, fleet.name("a"), fleet.name("b"), "finished");
            NOVA[1].task(each, fleet.name("b"), null);
        }
        String next = UUID.randomUUID().toString();
        place(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(b);
    }

    /** The instance may be reverted to its old host, so nova still counts it there. */
    @Test
    void aMemberInVerifyResizeOccupiesItsOldHost() {
        String a = host("a");
        host("b");
        String c = host("c");
        String group = group("anti-affinity");
        String moving = memberOn("a", group);
        memberOn("b", group);
        NOVA[1].migration(moving, fleet.name("a"), fleet.name("c"), "finished");
        hold(moving, c);
        NOVA[1].task(moving, fleet.name("c"), null);
        String next = UUID.randomUUID().toString();
        place(next, group).statusCode(409);
        place(next, group + ",\"force_hosts\":[\"" + fleet.name("a") + "\"]").statusCode(409);
        NOVA[1].migrationStatus(moving, "confirmed");
        place(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(a);
    }

    @Test
    void theTargetHostOfARunningMigrationIsOccupied() {
        host("a");
        String c = host("c");
        String group = group("anti-affinity");
        String moving = memberOn("a", group);
        NOVA[1].migration(moving, fleet.name("a"), fleet.name("c"), "running");
        String next = UUID.randomUUID().toString();
        place(next, group).statusCode(409);
        NOVA[1].migrationStatus(moving, "error");
        place(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(c);
    }

    /** nova sends the whole group of an instance. After nova deleted the group only the hint is left. */
    @Test
    void ignoresAGroupThatNovaDeleted() {
        String a = host("a");
        String b = host("b");
        String deleted = UUID.randomUUID().toString();
        String whole = ",\"instance_group\":{\"uuid\":\"" + deleted + "\",\"policy\":\"anti-affinity\"}";
        String hint = ",\"scheduler_hints\":{\"group\":\"" + deleted + "\"}";
        memberOn("a", whole);
        String other = memberOn("b", whole);
        place(UUID.randomUUID().toString(), whole).statusCode(409);
        NOVA[1].task(other, fleet.name("b"), "resize_prep");
        admin().body("""
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(
                other, UUID.randomUUID(), b, fleet.spec(1, hint + ",\"ignore_hosts\":[\"" + fleet.name("b") + "\"]")))
                .post("/v1/moves").then().statusCode(200);
        assertThat(allocations(other)).containsOnlyKeys(a);
    }
}
