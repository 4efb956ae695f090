package io.berth.scheduler.host.registry.snapshot;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.host.registry.heartbeat.HeartbeatStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.smallrye.mutiny.Multi;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Heartbeats of services: over HTTP, in the database, and as replicas see them. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class HeartbeatsIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int MANY = 6_000;

    @Inject
    RegistrySource source;

    @Inject
    HeartbeatStore heartbeats;

    @Inject
    RegistryFeedStore store;

    @Inject
    Pool pool;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private static void beat(UUID service, int status) {
        admin().post("/v1/services/" + service + "/heartbeat").then().statusCode(status);
    }

    private static UUID newService() {
        UUID uuid = UUID.randomUUID();
        admin().body("{\"host\":\"" + uuid + "\"}").put("/v1/services/" + uuid).then().statusCode(201);
        return uuid;
    }

    private static Instant heartbeatOf(RegistryFeedStore.ReadRegistry registry, UUID service) {
        return registry.registry().findService(service.toString()).lastHeartbeat();
    }

    private RegistryFeedStore.ReadRegistry read() {
        return store.readEverything().await().atMost(LIMIT);
    }

    private RegistryFeedStore.ReadRegistry catchUp(RegistryFeedStore.ReadRegistry before) {
        return store.catchUp(before).await().atMost(LIMIT);
    }

    /** Counts the changes of these services only, because those of others are pruned every minute. */
    private long changesRecorded(List<UUID> services) {
        return pool.preparedQuery("SELECT count(*) FROM registry_changes WHERE uuid = ANY($1)")
                .execute(Tuple.of(services.toArray(UUID[]::new))).await().atMost(LIMIT)
                .iterator().next().getLong(0);
    }

    private void execute(String sql) {
        pool.query(sql).execute().await().atMost(LIMIT);
    }

    @Test
    void heartbeatsAreNoChangesAndCauseNoFullRead() {
        List<UUID> services = new ArrayList<>();
        pool.query("INSERT INTO services (uuid, body, last_heartbeat) SELECT uuid, jsonb_build_object('host', uuid),"
                + " now() - interval '1 hour'"
                + " FROM (SELECT gen_random_uuid() AS uuid FROM generate_series(1, " + MANY + ")) made"
                + " RETURNING uuid").execute().await().atMost(LIMIT)
                .forEach(row -> services.add(row.getUUID(0)));
        RegistryFeedStore.ReadRegistry before = read();
        UUID unrecorded = UUID.randomUUID();
        execute("INSERT INTO server_groups (uuid, body) VALUES ('" + unrecorded + "', '{\"policy\":\"affinity\"}')");
        execute("DELETE FROM registry_changes WHERE uuid = '" + unrecorded + "'");
        execute("DELETE FROM registry_changes WHERE uuid IN (SELECT uuid FROM services)");
        List<Boolean> known = Multi.createFrom().iterable(services)
                .onItem().transformToUni(heartbeats::beat).merge(500)
                .collect().asList().await().atMost(LIMIT);
        assertThat(known).hasSize(MANY).containsOnly(true);
        assertThat(changesRecorded(services)).isZero();

        RegistryFeedStore.ReadRegistry now = catchUp(before);
        // Only a full read would find this group.
        assertThat(now.registry().findServerGroup(unrecorded)).isNull();
        RegistryFeedStore.ReadRegistry reread = read();
        assertThat(reread.registry().findServerGroup(unrecorded)).isNotNull();
        assertThat(services).allSatisfy(service -> assertThat(heartbeatOf(now, service))
                .isEqualTo(heartbeatOf(reread, service))
                .isAfter(now.registry().asOf().minus(Duration.ofMinutes(30))));
        execute("DELETE FROM services WHERE body ->> 'host' = uuid::text");
        execute("DELETE FROM server_groups WHERE uuid = '" + unrecorded + "'");
    }

    @Test
    void heartbeatsThatCommitOutOfOrderAreNotLost() {
        UUID early = newService();
        UUID late = newService();
        RegistryFeedStore.ReadRegistry before = read();
        var writer = pool.getConnection().await().atMost(LIMIT);
        var open = writer.begin().await().atMost(LIMIT);
        writer.preparedQuery("UPDATE services SET last_heartbeat = now() WHERE uuid = $1").execute(Tuple.of(early))
                .await().atMost(LIMIT);
        beat(late, 204);

        Instant first = heartbeatOf(before, early);
        Instant second = heartbeatOf(before, late);
        RegistryFeedStore.ReadRegistry between = catchUp(before);
        assertThat(heartbeatOf(between, late)).isAfter(second);
        assertThat(heartbeatOf(between, early)).isEqualTo(first);

        open.commit().await().atMost(LIMIT);
        writer.close().await().atMost(LIMIT);
        assertThat(heartbeatOf(catchUp(between), early)).isAfter(first);
    }

    /** Simulates two replicas: one receives the heartbeats, the other one reads them from the database. */
    @Test
    void aServiceWithoutHeartbeatsIsDownOnTheOtherReplica() throws InterruptedException {
        UUID alive = newService();
        UUID dead = newService();
        var other = new RegistryFeed(store, new RegistryMetrics(new SimpleMeterRegistry()), source,
                new FleetHeap(1L << 30));
        Duration downTime = Duration.ofSeconds(3);
        beat(dead, 204);
        eventually("the other replica sees the heartbeat", () -> {
            beat(alive, 204);
            RegistrySnapshot now = other.current().await().atMost(LIMIT);
            return now.findService(alive.toString()).hasRecentHeartbeat(now.asOf(), downTime)
                    && !now.findService(dead.toString()).hasRecentHeartbeat(now.asOf(), downTime);
        });
        Instant silentSince = other.current().await().atMost(LIMIT).findService(dead.toString()).lastHeartbeat();
        beat(dead, 204);
        assertThat(other.current().await().atMost(LIMIT).findService(dead.toString()).lastHeartbeat())
                .isAfter(silentSince);
    }

    @Test
    void refusesHeartbeatsOfDeletedServices() {
        UUID service = newService();
        RegistryFeedStore.ReadRegistry before = read();
        beat(service, 204);
        beat(service, 204);
        admin().delete("/v1/services/" + service).then().statusCode(204);
        beat(service, 404);
        assertThat(catchUp(before).registry().findService(service.toString())).isNull();
        beat(UUID.randomUUID(), 404);
        admin().post("/v1/services/none/heartbeat").then().statusCode(400);
    }

    @Test
    void acceptsHeartbeatsOfManyServicesInOneRequest() {
        UUID one = newService();
        UUID two = newService();
        UUID gone = UUID.randomUUID();
        RegistryFeedStore.ReadRegistry before = read();
        Instant first = heartbeatOf(before, one);
        Instant second = heartbeatOf(before, two);
        admin().body("{\"services\":[\"" + one + "\",\"" + gone + "\",\"" + two + "\"]}")
                .post("/v1/services/heartbeats").then()
                .statusCode(200)
                .body("unknown", equalTo(List.of(gone.toString())));
        RegistryFeedStore.ReadRegistry now = catchUp(before);
        assertThat(heartbeatOf(now, one)).isAfter(first);
        assertThat(heartbeatOf(now, two)).isAfter(second);
        for (String refused : List.of(
                "{}", "{\"services\":[]}", "{\"services\":[\"x\"]}", "{\"services\":[\"" + one + "\"],\"more\":1}",
                "{\"services\":" + IntStream.range(0, 1_001)
                        .mapToObj(i -> '"' + UUID.randomUUID().toString() + '"').toList() + "}")) {
            admin().body(refused).post("/v1/services/heartbeats").then().statusCode(400);
        }
    }

    /** An operator may write the column directly. */
    @Test
    void readsHeartbeatsFromTheTable() {
        UUID service = newService();
        RegistryFeedStore.ReadRegistry before = read();
        execute("UPDATE services SET last_heartbeat = '2001-02-03 04:05:06Z' WHERE uuid = '" + service + "'");
        assertThat(heartbeatOf(catchUp(before), service)).isEqualTo(Instant.parse("2001-02-03T04:05:06Z"));
    }

    /** The records of recent heartbeats are pruned, as after a long time without reads: only the table has them. */
    @Test
    void findsHeartbeatsAfterAReplicaWasIdleForLong() throws InterruptedException {
        UUID service = newService();
        RegistryFeedStore.ReadRegistry before = read();
        Instant first = heartbeatOf(before, service);
        beat(service, 204);
        eventually("the heartbeat is read", () -> {
            store.prune(Duration.ZERO).await().atMost(LIMIT);
            return heartbeatOf(catchUp(before), service).isAfter(first);
        });
    }

    /** Another transaction has changed a service and stays open. */
    @Test
    void aLockedServiceDelaysOnlyItsOwnHeartbeats() {
        UUID locked = newService();
        UUID free = newService();
        var editor = pool.getConnection().await().atMost(LIMIT);
        var open = editor.begin().await().atMost(LIMIT);
        editor.preparedQuery("UPDATE services SET version = version + 1 WHERE uuid = $1").execute(Tuple.of(locked))
                .await().atMost(LIMIT);
        CompletableFuture<Boolean> waiting = heartbeats.beat(locked).subscribeAsCompletionStage();
        assertThat(heartbeats.beat(free).await().atMost(LIMIT)).isTrue();
        assertThat(waiting).isNotDone();
        open.commit().await().atMost(LIMIT);
        editor.close().await().atMost(LIMIT);
        assertThat(waiting).succeedsWithin(LIMIT).isEqualTo(true);
    }
}
