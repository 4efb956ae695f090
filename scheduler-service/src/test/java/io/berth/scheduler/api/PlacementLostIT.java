package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.allocations;
import static io.berth.scheduler.api.Fleet.amounts;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.placement;
import static io.berth.scheduler.api.Fleet.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.UnreliableProxy.Fate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The network to a real Placement fails in the middle of requests; nothing may be left behind. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class PlacementLostIT {

    private final Fleet fleet = new Fleet();
    private final String migration = UUID.randomUUID().toString();

    @AfterEach
    void restore() {
        PackagedPlacement.proxy().restore();
    }

    private static void rule(Function<String, Fate> fates) {
        PackagedPlacement.proxy().rule(fates);
    }

    /** One call of this kind passes or loses its answer; from then on placement is away. */
    private static void awayAfter(String call, Fate fate, int count) {
        AtomicInteger left = new AtomicInteger(count);
        AtomicBoolean away = new AtomicBoolean();
        rule(each -> {
            if (away.get()) {
                return Fate.REQUEST_LOST;
            }
            if (!each.startsWith(call) || left.decrementAndGet() > 0) {
                return Fate.PASSED;
            }
            away.set(true);
            return fate;
        });
    }

    private static void loseOneAnswerOf(String call) {
        AtomicBoolean lost = new AtomicBoolean();
        rule(each -> each.startsWith(call) && lost.compareAndSet(false, true) ? Fate.ANSWER_LOST : Fate.PASSED);
    }

    private Response move(String kind, String instance, String source) {
        return admin().body("""
                {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(kind, instance, migration, source, fleet.spec(1, "")))
                .post("/v1/moves");
    }

    private static void unavailable(Response answer) {
        answer.then().statusCode(503).body("errors[0].code", equalTo("scheduler.placement_unavailable"));
    }

    @Test
    void leavesNothingOfManyWhenPlacementGoesAwayAfterTheClaim() throws InterruptedException {
        String a = fleet.host("a", 8);
        List<String> four = instances(4);
        awayAfter("POST /allocations", Fate.ANSWER_LOST, 1);
        unavailable(select(fleet.body(four, "")));
        // All claims stand, unknown to the scheduler.
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(4));
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(four).allSatisfy(instance -> assertThat(allocations(instance)).isEmpty()));
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(0));
    }

    @Test
    void putsTheAllocationsBackLaterWhenPlacementGoesAwayAfterTheClaim() throws InterruptedException {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        awayAfter("POST /allocations", Fate.ANSWER_LOST, 1);
        unavailable(move("resize", instance, a));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1))));
        assertThat(allocations(migration)).isEmpty();
        // And it can be made after all.
        eventually(() -> move("resize", instance, a).then().statusCode(200));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void recognisesItsOwnClaimWhoseAnswerIsLost() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        for (String kind : List.of("cold", "evacuate")) {
            String instance = fleet.instanceOn("a");
            loseOneAnswerOf(kind.equals("cold") ? "POST /allocations" : "PUT /allocations/" + instance);
            admin().body("""
                    {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                     "request_spec": %s}""".formatted(kind, instance, UUID.randomUUID(), a, fleet.spec(1, "")))
                    .post("/v1/moves").then()
                    .statusCode(200)
                    .body("selections[0][0].compute_node_uuid", equalTo(b));
            assertThat(allocations(instance)).isEqualTo(kind.equals("cold")
                    ? Map.of(b, amounts(1))
                    : Map.of(a, amounts(1), b, amounts(1)));
        }
    }

    @Test
    void takesAnEvacuationsClaimBackLaterWhenNobodyCanBeAskedForIt() throws InterruptedException {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        awayAfter("PUT /allocations/" + instance, Fate.ANSWER_LOST, 1);
        unavailable(move("evacuate", instance, a));
        assertThat(allocations(instance)).containsOnlyKeys(a, b);
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1))));
    }

    @Test
    void finishesARevertThatPlacementDidNotAnswer() throws InterruptedException {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("resize", instance, a).then().statusCode(200);
        PackagedPlacement.proxy().cut();
        unavailable(admin().post("/v1/moves/" + migration + "/revert"));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1))));
        assertThat(allocations(migration)).isEmpty();
        eventually(() -> admin().post("/v1/moves/" + migration + "/revert").then()
                .statusCode(200)
                .body("state", equalTo("reverted")));
        admin().get("/v1/instances/" + instance).then().body("host", equalTo(fleet.name("a")));
    }
}
