package io.berth.scheduler.placementsync;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests the outbox of the placement sync in PostgreSQL, filled by real changes of the registry. Only the test empties
 * it.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SyncStoreIT {
    private static final double LONG = 3_600;
    private static final double PAST = -1;
    private static final int MANY = 50_000;

    @Inject
    SyncStore store;

    @Inject
    Pool pool;

    private final String host = "host-" + UUID.randomUUID();
    private final String service = "/v1/services/" + UUID.randomUUID();

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private void putService(boolean disabled) {
        admin().body("{\"host\":\"" + host + "\",\"disabled\":" + disabled + "}").put(service);
    }

    private static String putAggregate(String path, String hosts) {
        admin().body("{\"name\":\"" + path + "\",\"hosts\":" + hosts + "}").put(path);
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private ValidatableResponse pending() {
        return admin().get("/v1/placement_sync?host=" + host).then().statusCode(200);
    }

    /**
     * Leases the test's host. Finishes other hosts that are due earlier, because a lease in the past would find them
     * again.
     */
    private PendingHost lease(double seconds) {
        PendingHost found = store.lease(seconds).await().indefinitely();
        while (found != null && !found.host().equals(host)) {
            store.finish(found).await().indefinitely();
            found = store.lease(seconds).await().indefinitely();
        }
        return found;
    }

    @Test
    void countsPendingHostsAndTheirAge() {
        SyncStore.Backlog before = store.count().await().indefinitely();
        putService(true);
        SyncStore.Backlog after = store.count().await().indefinitely();
        assertThat(after.count()).isEqualTo(before.count() + 1);
        assertThat(after.oldestSeconds()).isGreaterThanOrEqualTo(before.oldestSeconds());
        store.finish(lease(LONG)).await().indefinitely();
        assertThat(store.count().await().indefinitely().count()).isLessThan(after.count());
    }

    @Test
    void addsTheHostOfAServiceButIgnoresHeartbeats() {
        pending().body("pending", equalTo(0)).body("hosts", hasSize(0)).body("last_error", equalTo(null));
        putService(true);
        pending().body("pending", equalTo(1)).body("hosts[0].service_state", equalTo(true));
        store.finish(lease(LONG)).await().indefinitely();
        admin().post(service + "/heartbeat").then().statusCode(204);
        pending().body("pending", equalTo(0));
        admin().delete(service).then().statusCode(204);
        pending().body("pending", equalTo(1));
    }

    @Test
    void addsOnlyHostsThatJoinOrLeaveAnAggregate() {
        String path = "/v1/host_aggregates/" + UUID.randomUUID();
        String aggregate = putAggregate(path, "[\"" + host + "\",\"" + host + "\"]");
        pending().body("hosts[0].host_aggregates", contains(aggregate));
        store.finish(lease(LONG)).await().indefinitely();
        putAggregate(path, "[\"" + host + "\",\"other-" + host + "\"]");
        pending().body("pending", equalTo(0));
        String second = putAggregate("/v1/host_aggregates/" + UUID.randomUUID(), "[\"" + host + "\"]");
        admin().delete(path).then().statusCode(204);
        pending().body("hosts[0].host_aggregates", containsInAnyOrder(aggregate, second));
    }

    @Test
    void addsAllHostsOfAVeryLargeAggregate() {
        double before = store.count().await().indefinitely().count();
        String hosts = IntStream.range(0, MANY).mapToObj(i -> "\"" + host + "-" + i + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        String path = "/v1/host_aggregates/" + UUID.randomUUID();
        admin().body("{\"name\":\"" + path + "\",\"hosts\":" + hosts + "}").put(path).then().statusCode(201);
        admin().body("{\"name\":\"" + path + "\"}").put(path).then().statusCode(200);
        assertThat(store.count().await().indefinitely().count()).isEqualTo(before + MANY);
        pool.query("DELETE FROM sync_outbox WHERE host LIKE '" + host + "-%'").execute().await().indefinitely();
    }

    @Test
    void addsAComputeNodeForItsReportAndItsNewHost() {
        String node = UUID.randomUUID().toString();
        String report = "{\"host\":\"" + host + "\",\"vcpus_total\":4}";
        admin().body(report).put("/v1/compute_nodes/" + node).then().statusCode(201);
        pending().body("pending", equalTo(0));
        admin().body(report.replace("}", ",\"traits\":[]}")).put("/v1/compute_nodes/" + node).then().statusCode(200);
        pending().body("hosts[0].compute_nodes", contains(node)).body("hosts[0].service_state", equalTo(false));
        store.finish(lease(LONG)).await().indefinitely();
        String aggregate = putAggregate("/v1/host_aggregates/" + UUID.randomUUID(), "[\"" + host + "\"]");
        store.finish(lease(LONG)).await().indefinitely();
        admin().body("{\"host\":\"" + host + "\",\"nodename\":\"second\"}").post("/v1/compute_nodes").then()
                .statusCode(201);
        pending().body("hosts[0].host_aggregates", contains(aggregate));
    }

    @Test
    void leasesAHostToOneReplicaAtATime() {
        putService(true);
        PendingHost first = lease(LONG);
        assertThat(first.attempts()).isEqualTo(1);
        putService(false);
        assertThat(lease(LONG)).as("leased, though it changed").isNull();
        store.finish(first).await().indefinitely();
        pending().body("pending", equalTo(1));
        PendingHost second = lease(LONG);
        assertThat(second.revision()).isEqualTo(first.revision() + 1);
        store.finish(second).await().indefinitely();
        pending().body("pending", equalTo(0));
    }

    @Test
    void aReplicaWithAnExpiredLeaseCannotFinishAHost() {
        putService(true);
        PendingHost stalled = lease(PAST);
        PendingHost working = lease(LONG);
        assertThat(working.attempts()).isEqualTo(2);
        store.finish(stalled).await().indefinitely();
        store.postpone(stalled, 0, "too late", false).await().indefinitely();
        pending().body("pending", equalTo(1)).body("last_error", equalTo(null));
        assertThat(lease(LONG)).isNull();
    }

    /** An attempt may still write until a later one ends with a known outcome; that of a lost replica is unknown. */
    @Test
    void reportsWhetherAnEarlierAttemptMayStillWrite() {
        putService(true);
        assertThat(lease(PAST).isIndeterminate()).as("the first attempt").isFalse();
        PendingHost afterOneThatGotLost = lease(LONG);
        assertThat(afterOneThatGotLost.isIndeterminate()).isTrue();
        store.postpone(afterOneThatGotLost, PAST, "no answer", true).await().indefinitely();
        putService(false);
        PendingHost afterNoAnswer = lease(LONG);
        assertThat(afterNoAnswer.isIndeterminate()).as("despite a new change").isTrue();
        store.postpone(afterNoAnswer, PAST, "refused", false).await().indefinitely();
        PendingHost afterRefusal = lease(LONG);
        assertThat(afterRefusal.isIndeterminate()).isFalse();
        putService(true);
        store.finish(afterRefusal).await().indefinitely();
        assertThat(lease(LONG).isIndeterminate()).as("done, and changed in the meantime").isFalse();
    }

    @Test
    void reportsWhyAndForHowLongAHostIsPending() {
        putService(true);
        store.postpone(lease(LONG), 100, "placement is out", true).await().indefinitely();
        pending().body("last_error", equalTo("placement is out"))
                .body("hosts[0].host", equalTo(host))
                .body("hosts[0].attempts", equalTo(1))
                .body("hosts[0].last_error", equalTo("placement is out"));
        assertThat(pending().extract().jsonPath().getDouble("oldest_seconds")).isBetween(0.0, 3_600.0);
        assertThat(lease(LONG)).as("not due").isNull();
        putService(false);
        assertThat(lease(LONG).attempts()).as("changed, so due, with a new count").isEqualTo(1);
        admin().queryParam("host", "a\0b").get("/v1/placement_sync").then().statusCode(400);
    }
}
