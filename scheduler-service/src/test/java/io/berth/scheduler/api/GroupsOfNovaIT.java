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

/** Server groups whose members nova moves by itself. */
@Tag("process")
class GroupsOfNovaIT {
    private static final Vertx VERTX = Vertx.vertx();
    /** The API database, and that of the only cell. */
    private static final NovaTables[] NOVA = NovaTables.of(PostgresForTests.url(), UUID.randomUUID(), VERTX);

    @Order(1)
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(Map.of(
            "berth.nova.api-database", NOVA[0].connection(),
            // As in nova-scheduler's place.
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

    /** The hint of a new group. */
    private static String group(String policy) {
        String group = UUID.randomUUID().toString();
        admin().body("{\"policy\":\"" + policy + "\"}").put("/v1/server_groups/" + group).then().statusCode(201);
        return ",\"scheduler_hints\":{\"group\":\"" + group + "\"}";
    }

    private ValidatableResponse boot(String instance, String more) {
        return select(fleet.body(List.of(instance), more)).then();
    }

    /** A member that runs on its host as nova sees it, too. */
    private String memberOn(String name, String group) {
        String instance = UUID.randomUUID().toString();
        boot(instance, group + ",\"force_hosts\":[\"" + fleet.name(name) + "\"]").statusCode(200);
        NOVA[1].instance(UUID.fromString(instance), fleet.name(name));
        NOVA[1].task(instance, fleet.name(name), null);
        return instance;
    }

    @Test
    void aResizeThatNovaRevertedFreesItsHost() {
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
        // nova's record names the old host as long as the compute works there.
        boot(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("c"), "resize_finish");
        boot(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("c"), null);
        boot(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("c"), "resize_reverting");
        placement().delete("/allocations/" + migration).then().statusCode(204);
        hold(moving, a);
        NOVA[1].task(moving, fleet.name("a"), "resize_reverting");
        boot(next, group).statusCode(409);
        NOVA[1].task(moving, fleet.name("a"), null);
        boot(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(c);
        boot(UUID.randomUUID().toString(), group).statusCode(409);
    }

    @Test
    void membersThatNovaMovedByForceAreFollowed() {
        host("a");
        String b = host("b");
        String group = group("affinity");
        for (String each : List.of(memberOn("a", group), memberOn("a", group))) {
            hold(each, b);
            // Not confirmed yet: nova has an affinity group where its members are now.
            NOVA[1].migration(each, fleet.name("a"), fleet.name("b"), "finished");
            NOVA[1].task(each, fleet.name("b"), null);
        }
        String next = UUID.randomUUID().toString();
        boot(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(b);
    }

    /** It may go back there, and nova's compute counts it there. */
    @Test
    void aMemberInVerifyResizeKeepsItsOldHost() {
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
        boot(next, group).statusCode(409);
        boot(next, group + ",\"force_hosts\":[\"" + fleet.name("a") + "\"]").statusCode(409);
        NOVA[1].migrationStatus(moving, "confirmed");
        boot(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(a);
    }

    @Test
    void aHostToWhichNovaMovesAMemberByForceIsTaken() {
        host("a");
        String c = host("c");
        String group = group("anti-affinity");
        String moving = memberOn("a", group);
        NOVA[1].migration(moving, fleet.name("a"), fleet.name("c"), "running");
        String next = UUID.randomUUID().toString();
        boot(next, group).statusCode(409);
        NOVA[1].migrationStatus(moving, "error");
        boot(next, group).statusCode(200);
        assertThat(allocations(next)).containsOnlyKeys(c);
    }

    /** nova sends the group of an instance whole. Once it is deleted there is none, and the hint stays. */
    @Test
    void aGroupThatNovaDeletedBindsItsMembersNoMore() {
        String a = host("a");
        String b = host("b");
        String deleted = UUID.randomUUID().toString();
        String whole = ",\"instance_group\":{\"uuid\":\"" + deleted + "\",\"policy\":\"anti-affinity\"}";
        String hint = ",\"scheduler_hints\":{\"group\":\"" + deleted + "\"}";
        memberOn("a", whole);
        String other = memberOn("b", whole);
        boot(UUID.randomUUID().toString(), whole).statusCode(409);
        NOVA[1].task(other, fleet.name("b"), "resize_prep");
        admin().body("""
                {"kind": "resize", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(
                other, UUID.randomUUID(), b, fleet.spec(1, hint + ",\"ignore_hosts\":[\"" + fleet.name("b") + "\"]")))
                .post("/v1/moves").then().statusCode(200);
        assertThat(allocations(other)).containsOnlyKeys(a);
    }
}
