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

    private static Instant heard(RegistryFeedStore.ReadRegistry picture, UUID service) {
        return picture.registry().findService(service.toString()).lastHeartbeat();
    }

    private RegistryFeedStore.ReadRegistry read() {
        return store.readEverything().await().atMost(LIMIT);
    }

    private RegistryFeedStore.ReadRegistry after(RegistryFeedStore.ReadRegistry before) {
        return store.catchUp(before).await().atMost(LIMIT);
    }

    /** Of these alone: old ones of others are forgotten every minute. */
    private long changesRecorded(List<UUID> services) {
        return pool.preparedQuery("SELECT count(*) FROM registry_changes WHERE uuid = ANY($1)")
                .execute(Tuple.of(services.toArray(UUID[]::new))).await().atMost(LIMIT)
                .iterator().next().getLong(0);
    }

    private void execute(String sql) {
        pool.query(sql).execute().await().atMost(LIMIT);
    }

    @Test
    void ofManyServicesAreNoChangesAndLeadToNoWholeRead() {
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

        RegistryFeedStore.ReadRegistry now = after(before);
        // Only who reads everything would find it.
        assertThat(now.registry().findServerGroup(unrecorded)).isNull();
        RegistryFeedStore.ReadRegistry reread = read();
        assertThat(reread.registry().findServerGroup(unrecorded)).isNotNull();
        assertThat(services).allSatisfy(service -> assertThat(heard(now, service))
                .isEqualTo(heard(reread, service))
                .isAfter(now.registry().asOf().minus(Duration.ofMinutes(30))));
        execute("DELETE FROM services WHERE body ->> 'host' = uuid::text");
        execute("DELETE FROM server_groups WHERE uuid = '" + unrecorded + "'");
    }

    @Test
    void thatCommitOutOfOrderAreNotLost() {
        UUID early = newService();
        UUID late = newService();
        RegistryFeedStore.ReadRegistry before = read();
        var writer = pool.getConnection().await().atMost(LIMIT);
        var open = writer.begin().await().atMost(LIMIT);
        writer.preparedQuery("UPDATE services SET last_heartbeat = now() WHERE uuid = $1").execute(Tuple.of(early))
                .await().atMost(LIMIT);
        beat(late, 204);

        Instant first = heard(before, early);
        Instant second = heard(before, late);
        RegistryFeedStore.ReadRegistry between = after(before);
        assertThat(heard(between, late)).isAfter(second);
        assertThat(heard(between, early)).isEqualTo(first);

        open.commit().await().atMost(LIMIT);
        writer.close().await().atMost(LIMIT);
        assertThat(heard(after(between), early)).isAfter(first);
    }

    /** Two replicas: one is told of the beats, the other one asks the database. */
    @Test
    void thatStopMakeAServiceGoDownOnTheOtherReplica() throws InterruptedException {
        UUID alive = newService();
        UUID dead = newService();
        var other = new RegistryFeed(store, new RegistryMetrics(new SimpleMeterRegistry()), source,
                new FleetHeap(1L << 30));
        Duration downTime = Duration.ofSeconds(3);
        beat(dead, 204);
        eventually("it is heard of", () -> {
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
    void ofAServiceThatIsGoneAreRefused() {
        UUID service = newService();
        RegistryFeedStore.ReadRegistry before = read();
        beat(service, 204);
        beat(service, 204);
        admin().delete("/v1/services/" + service).then().statusCode(204);
        beat(service, 404);
        assertThat(after(before).registry().findService(service.toString())).isNull();
        beat(UUID.randomUUID(), 404);
        admin().post("/v1/services/none/heartbeat").then().statusCode(400);
    }

    @Test
    void ofManyServicesComeInOneRequest() {
        UUID one = newService();
        UUID two = newService();
        UUID gone = UUID.randomUUID();
        RegistryFeedStore.ReadRegistry before = read();
        Instant first = heard(before, one);
        Instant second = heard(before, two);
        admin().body("{\"services\":[\"" + one + "\",\"" + gone + "\",\"" + two + "\"]}")
                .post("/v1/services/heartbeats").then()
                .statusCode(200)
                .body("unknown", equalTo(List.of(gone.toString())));
        RegistryFeedStore.ReadRegistry now = after(before);
        assertThat(heard(now, one)).isAfter(first);
        assertThat(heard(now, two)).isAfter(second);
        for (String refused : List.of(
                "{}", "{\"services\":[]}", "{\"services\":[\"x\"]}", "{\"services\":[\"" + one + "\"],\"more\":1}",
                "{\"services\":" + IntStream.range(0, 1_001)
                        .mapToObj(i -> '"' + UUID.randomUUID().toString() + '"').toList() + "}")) {
            admin().body(refused).post("/v1/services/heartbeats").then().statusCode(400);
        }
    }

    /** Whatever an operator's own statement says. */
    @Test
    void areReadAsTheyStandInTheTable() {
        UUID service = newService();
        RegistryFeedStore.ReadRegistry before = read();
        execute("UPDATE services SET last_heartbeat = '2001-02-03 04:05:06Z' WHERE uuid = '" + service + "'");
        assertThat(heard(after(before), service)).isEqualTo(Instant.parse("2001-02-03T04:05:06Z"));
    }

    /** A replica that asked nothing for long reads what its record of beats does not tell any more. */
    @Test
    void areFoundByWhoAskedNothingForLong() throws InterruptedException {
        UUID service = newService();
        RegistryFeedStore.ReadRegistry before = read();
        Instant first = heard(before, service);
        beat(service, 204);
        eventually("it is heard of", () -> {
            store.prune(Duration.ZERO).await().atMost(LIMIT);
            return heard(after(before), service).isAfter(first);
        });
    }

    /** Somebody changes a service and does not come to an end. */
    @Test
    void waitForALockedServiceAlone() {
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
