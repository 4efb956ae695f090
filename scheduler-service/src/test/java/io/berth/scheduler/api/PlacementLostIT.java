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

/** Breaks the connection to a real Placement in the middle of requests and checks that nothing is left behind. */
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

    /**
     * Lets calls of this kind pass up to the last of the count, which gets this fate; from then on placement is
     * unreachable.
     */
    private static void losePlacementAfter(String call, Fate fate, int count) {
        AtomicInteger left = new AtomicInteger(count);
        AtomicBoolean isLost = new AtomicBoolean();
        rule(each -> {
            if (isLost.get()) {
                return Fate.REQUEST_LOST;
            }
            if (!each.startsWith(call) || left.decrementAndGet() > 0) {
                return Fate.PASSED;
            }
            isLost.set(true);
            return fate;
        });
    }

    private static void loseOneResponseOf(String call) {
        AtomicBoolean lost = new AtomicBoolean();
        rule(each -> each.startsWith(call) && lost.compareAndSet(false, true) ? Fate.ANSWER_LOST : Fate.PASSED);
    }

    private Response move(String kind, String instance, String source) {
        return admin().body("""
                {"kind": "%s", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s",
                 "request_spec": %s}""".formatted(kind, instance, migration, source, fleet.spec(1, "")))
                .post("/v1/moves");
    }

    private static void assertUnavailable(Response response) {
        response.then().statusCode(503).body("errors[0].code", equalTo("scheduler.placement_unavailable"));
    }

    @Test
    void releasesAllClaimsLaterWhenPlacementIsLostAfterThem() throws InterruptedException {
        String a = fleet.host("a", 8);
        List<String> four = instances(4);
        losePlacementAfter("POST /allocations", Fate.ANSWER_LOST, 1);
        assertUnavailable(select(fleet.body(four, "")));
        // All claims are committed, but the scheduler does not know that.
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(4));
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(four).allSatisfy(instance -> assertThat(allocations(instance)).isEmpty()));
        placement().get("/resource_providers/" + a + "/usages").then().body("usages.VCPU", equalTo(0));
    }

    @Test
    void rollsBackAMoveLaterWhenPlacementIsLostAfterItsClaim() throws InterruptedException {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        losePlacementAfter("POST /allocations", Fate.ANSWER_LOST, 1);
        assertUnavailable(move("resize", instance, a));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1))));
        assertThat(allocations(migration)).isEmpty();
        // The move can be made afterwards.
        eventually(() -> move("resize", instance, a).then().statusCode(200));
        assertThat(allocations(instance)).isEqualTo(Map.of(b, amounts(1)));
        assertThat(allocations(migration)).isEqualTo(Map.of(a, amounts(1)));
    }

    @Test
    void recognizesItsOwnClaimWhoseResponseIsLost() {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        for (String kind : List.of("cold", "evacuate")) {
            String instance = fleet.instanceOn("a");
            loseOneResponseOf(kind.equals("cold") ? "POST /allocations" : "PUT /allocations/" + instance);
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
    void rollsBackAnEvacuationLaterWhenPlacementIsLostAfterItsClaim() throws InterruptedException {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        losePlacementAfter("PUT /allocations/" + instance, Fate.ANSWER_LOST, 1);
        assertUnavailable(move("evacuate", instance, a));
        assertThat(allocations(instance)).containsOnlyKeys(a, b);
        PackagedPlacement.proxy().restore();
        eventually(() -> assertThat(allocations(instance)).isEqualTo(Map.of(a, amounts(1))));
    }

    @Test
    void completesARevertOncePlacementAnswers() throws InterruptedException {
        String a = fleet.host("a", 4);
        String b = fleet.host("b", 4);
        String instance = fleet.instanceOn("a");
        move("resize", instance, a).then().statusCode(200);
        PackagedPlacement.proxy().cut();
        assertUnavailable(admin().post("/v1/moves/" + migration + "/revert"));
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
