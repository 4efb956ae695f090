package io.berth.scheduler.host.registry;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.host.HostAggregate;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RegistryFeedIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Inject
    RegistryFeed feed;

    @Inject
    RegistryFeedStore store;

    @Inject
    Pool pool;

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").contentType("application/json");
    }

    private RegistrySnapshot current() {
        return feed.current().await().atMost(LIMIT);
    }

    @Test
    void showsEveryCommittedChangeAtOnce() {
        UUID uuid = UUID.randomUUID();
        String host = "host-" + uuid;
        admin().body("{\"host\":\"" + host + "\",\"vcpus_total\":8}").put("/v1/compute_nodes/" + uuid).then()
                .statusCode(201);
        assertThat(current().findComputeNode(uuid).host()).isEqualTo(host);

        admin().body("{\"name\":\"agg-" + uuid + "\",\"hosts\":[\"" + host + "\"]}").post("/v1/host_aggregates").then()
                .statusCode(201);
        assertThat(current().aggregatesOf(host)).extracting(HostAggregate::name).containsExactly("agg-" + uuid);

        String instance = UUID.randomUUID().toString();
        admin().body("{\"host\":\"" + host + "\"}").put("/v1/instances/" + instance).then().statusCode(201);
        assertThat(current().instancesOn(host, host)).containsOnlyKeys(instance);

        admin().body("{\"host\":\"elsewhere\"}").put("/v1/instances/" + instance).then().statusCode(200);
        assertThat(current().instancesOn(host, host)).isEmpty();
        assertThat(current().instancesOn("elsewhere", "any")).containsKey(instance);

        admin().delete("/v1/compute_nodes/" + uuid).then().statusCode(204);
        assertThat(current().findComputeNode(uuid)).isNull();
    }

    @Test
    void catchesUpAfterChangesThatCommitOutOfOrder() {
        RegistryFeedStore.Picture before = store.readEverything().await().atMost(LIMIT);
        UUID early = UUID.randomUUID();
        UUID late = UUID.randomUUID();
        String insert = "INSERT INTO server_groups (uuid, body) VALUES ($1, '{\"policy\":\"affinity\"}')";
        var firstWriter = pool.getConnection().await().atMost(LIMIT);
        var open = firstWriter.begin().await().atMost(LIMIT);
        firstWriter.preparedQuery(insert).execute(Tuple.of(early)).await().atMost(LIMIT);
        pool.preparedQuery(insert).execute(Tuple.of(late)).await().atMost(LIMIT);

        RegistryFeedStore.Picture between = store.catchUp(before).await().atMost(LIMIT);
        assertThat(between.registry().findServerGroup(late)).isNotNull();
        assertThat(between.registry().findServerGroup(early)).isNull();

        open.commit().await().atMost(LIMIT);
        firstWriter.close().await().atMost(LIMIT);
        RegistryFeedStore.Picture after = store.catchUp(between).await().atMost(LIMIT);
        assertThat(after.registry().findServerGroup(early)).isNotNull();
    }

    @Test
    void readsEverythingAgainWhenItsChangesWerePruned() {
        UUID uuid = UUID.randomUUID();
        RegistryFeedStore.Picture before = store.readEverything().await().atMost(LIMIT);
        admin().body("{\"policy\":\"affinity\"}").put("/v1/server_groups/" + uuid).then().statusCode(201);
        assertThat(store.prune(0).await().atMost(LIMIT)).isPositive();
        assertThat(store.catchUp(before).await().atMost(LIMIT).registry().findServerGroup(uuid)).isNotNull();
    }

    @Test
    void movesAHeartbeatByTheDatabasesClock() {
        UUID uuid = UUID.randomUUID();
        admin().body("{\"host\":\"beating-" + uuid + "\"}").put("/v1/services/" + uuid).then().statusCode(201);
        Instant first = current().findService("beating-" + uuid).lastHeartbeat();
        admin().post("/v1/services/" + uuid + "/heartbeat").then().statusCode(204);
        RegistrySnapshot now = current();
        ComputeService service = now.findService("beating-" + uuid);
        assertThat(service.lastHeartbeat()).isAfter(first);
        assertThat(service.isHeardOf(now.asOf(), Duration.ofHours(1))).isTrue();
        assertThat(service.isHeardOf(now.asOf().plusSeconds(3_601), Duration.ofHours(1))).isFalse();
        admin().get("/v1/services/" + uuid).then().statusCode(200);
        admin().post("/v1/services/" + UUID.randomUUID() + "/heartbeat").then().statusCode(404);
    }

    @Test
    void answersManyWhoAskAtOnce() {
        List<CompletableFuture<RegistrySnapshot>> asked = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            asked.add(feed.current().subscribeAsCompletionStage());
        }
        assertThat(asked).allSatisfy(answer -> assertThat(answer.get(5, TimeUnit.MINUTES)).isNotNull());
    }
}
