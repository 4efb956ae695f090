package io.berth.scheduler.api;

import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.select;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.nova.database.NovaTables;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Builds on hosts from nova's database: how a build counts until the host reports it, and which placement query is sent
 * depending on the version of the computes.
 */
@Tag("process")
class BuildsOfNovaIT {
    private static final Vertx VERTX = Vertx.vertx();
    /** NOVA[0] is the API database, NOVA[1] that of the only cell. */
    private static final NovaTables[] NOVA = NovaTables.of(PostgresForTests.url(), UUID.randomUUID(), VERTX);

    @Order(1)
    @RegisterExtension
    static final PackagedScheduler SCHEDULER = new PackagedScheduler(Map.of(
            "berth.nova.api-database", NOVA[0].connection(),
            "berth.nova.own-builds-counted", "24H",
            // One build outweighs the difference in free memory between the hosts.
            "berth.scheduler.filter-scheduler.io-ops-weight-multiplier", "-2",
            "berth.scheduler.default.service-down-time", "86400"));

    private final Fleet fleet = new Fleet();

    @AfterAll
    static void stop() {
        VERTX.close().toCompletionStage().toCompletableFuture().join();
    }

    private String host(String name) {
        String uuid = fleet.host(name, 8);
        NOVA[1].host(UUID.fromString(uuid), fleet.name(name));
        NOVA[1].ioWorkload(fleet.name(name), 0);
        return uuid;
    }

    private void assertBuiltOn(String host, UUID instance) {
        select(fleet.body(List.of(instance.toString()), "")).then().statusCode(200);
        assertThat(allocations(instance.toString())).containsOnlyKeys(host);
    }

    @Test
    void requiresTheNovaOwnerTraitOnceAllComputesAreNewEnough() {
        String a = host("a");
        NOVA[1].run("UPDATE services SET version = 73");
        select(fleet.body(List.of(UUID.randomUUID().toString()), "")).then().statusCode(409);
        NOVA[1].run("UPDATE services SET version = 72 WHERE host = ?", fleet.name("a"));
        assertBuiltOn(a, UUID.randomUUID());
    }

    @Test
    void findsDecisionsByTheDisplayNameOfAnInstance() {
        host("a");
        UUID instance = UUID.randomUUID();
        select(fleet.body(List.of(instance.toString()), "")).then().statusCode(200);
        NOVA[1].instance(instance, fleet.name("a"));
        NOVA[1].displayName(instance, fleet.name("web-1"));
        given().header("x-auth-token", "admin").get("/v1/decisions/" + fleet.name("web-1")).then()
                .statusCode(200)
                .body("instance_uuids", contains(instance.toString()));
        given().header("x-auth-token", "admin").get("/v1/decisions/" + fleet.name("web-2")).then()
                .statusCode(404);
    }

    @Test
    void countsABuildAtOnceAndOnlyOnceAfterTheHostReportsIt() {
        String a = host("a");
        String b = host("b");
        NOVA[1].run("UPDATE compute_nodes SET free_ram_mb = 60000 WHERE host = ?", fleet.name("b"));
        UUID first = UUID.randomUUID();
        assertBuiltOn(a, first);
        assertBuiltOn(b, UUID.randomUUID());
        NOVA[1].instance(first, fleet.name("a"));
        NOVA[1].task(first.toString(), fleet.name("a"), "spawning");
        NOVA[1].ioWorkload(fleet.name("a"), 1);
        assertBuiltOn(a, UUID.randomUUID());
        assertBuiltOn(b, UUID.randomUUID());
    }
}
