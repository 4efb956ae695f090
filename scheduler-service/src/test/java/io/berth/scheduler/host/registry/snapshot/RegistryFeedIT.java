package io.berth.scheduler.host.registry.snapshot;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.postgres.OpenTransaction;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

/** Tests the registry feed and its readiness check against PostgreSQL. */
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

    /** Source that responds to the first call and never completes later ones. */
    private static final class Stalling implements RegistrySource {
        private final List<String> late = new ArrayList<>();
        private boolean hasAnswered;

        @Override
        public boolean isForeign() {
            return true;
        }

        @Override
        public Uni<RegistryLayers> current() {
            boolean isStalled = hasAnswered;
            hasAnswered = true;
            return isStalled
                    ? Uni.createFrom().nothing()
                    : Uni.createFrom().item(new RegistryLayers(List.of(), Instant.now()));
        }

        @Override
        public Uni<Map<UUID, Place>> placesWithoutOperation(Set<UUID> instances) {
            return Uni.createFrom().item(Map.of());
        }

        @Override
        public Duration ownBuildsCounted() {
            return Duration.ZERO;
        }

        @Override
        public List<String> silentParts() {
            return late;
        }
    }

    private HealthCheckResponse readiness(RegistryFeed stalled, RegistryMetrics metrics) {
        return new RegistryReadiness(stalled, metrics).call().await().atMost(LIMIT);
    }

    @Test
    void isReadyWhileOnlyOneCellDoesNotRespond() {
        var source = new Stalling();
        var metrics = new RegistryMetrics(new SimpleMeterRegistry());
        var stalled = new RegistryFeed(store, metrics, source, new FleetHeap(1L << 30));
        assertThat(readiness(stalled, metrics).getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(readiness(stalled, metrics).getStatus()).as("the whole source does not respond")
                .isEqualTo(HealthCheckResponse.Status.DOWN);
        source.late.add("cell1");
        HealthCheckResponse late = readiness(stalled, metrics);
        assertThat(late.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(late.getData().orElseThrow()).containsEntry("cells-away", "cell1");
    }

    @Test
    void isNotReadyBeforeTheFirstCompleteRead() {
        var source = new Stalling();
        source.hasAnswered = true;
        source.late.add("cell1");
        var metrics = new RegistryMetrics(new SimpleMeterRegistry());
        var stalled = new RegistryFeed(store, metrics, source, new FleetHeap(1L << 30));
        assertThat(readiness(stalled, metrics).getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
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

    /** Applies during an upgrade and after its rollback: a host that cannot be read would count as deleted. */
    @Test
    void readsRecordsWithFieldsOfALaterVersion() {
        UUID node = UUID.randomUUID();
        UUID service = UUID.randomUUID();
        UUID instance = UUID.randomUUID();
        insert("compute_nodes", node, "{\"host\": \"later\", \"vcpus_total\": 8, \"later\": {\"a\": 1}}");
        insert("services", service, "{\"host\": \"later\", \"later\": []}");
        insert("instances", instance, "{\"host\": \"later\", \"later\": true}");
        assertThat(current().findComputeNode(node).host()).isEqualTo("later");
        assertThat(current().findService(service)).isNotNull();
        assertThat(current().findInstance(instance).host()).isEqualTo("later");
    }

    /** PostgreSQL stores every digit of such a number. */
    @Test
    void readsNodesWithNumbersCloseToZero() {
        UUID node = UUID.randomUUID();
        admin().body("{\"host\":\"host-" + node + "\",\"metrics\":[{\"name\":\"m\",\"value\":1e-300}]}")
                .put("/v1/compute_nodes/" + node).then().statusCode(201);
        assertThat(current().findComputeNode(node).state().metrics()).containsEntry("m", 1e-300);
    }

    private void insert(String table, UUID uuid, String body) {
        pool.preparedQuery("INSERT INTO " + table + " (uuid, body) VALUES ($1, cast(cast($2 AS text) AS jsonb))")
                .execute(Tuple.of(uuid, body)).await().atMost(LIMIT);
    }

    @Test
    void catchesUpAfterChangesThatCommitOutOfOrder() {
        RegistryFeedStore.ReadRegistry before = store.readEverything().await().atMost(LIMIT);
        UUID early = UUID.randomUUID();
        UUID late = UUID.randomUUID();
        String insert = "INSERT INTO server_groups (uuid, body) VALUES ($1, '{\"policy\":\"affinity\"}')";
        var firstWriter = pool.getConnection().await().atMost(LIMIT);
        var open = firstWriter.begin().await().atMost(LIMIT);
        firstWriter.preparedQuery(insert).execute(Tuple.of(early)).await().atMost(LIMIT);
        pool.preparedQuery(insert).execute(Tuple.of(late)).await().atMost(LIMIT);

        RegistryFeedStore.ReadRegistry between = store.catchUp(before).await().atMost(LIMIT);
        assertThat(between.registry().findServerGroup(late)).isNotNull();
        assertThat(between.registry().findServerGroup(early)).isNull();

        open.commit().await().atMost(LIMIT);
        firstWriter.close().await().atMost(LIMIT);
        RegistryFeedStore.ReadRegistry after = store.catchUp(between).await().atMost(LIMIT);
        assertThat(after.registry().findServerGroup(early)).isNotNull();
    }

    @Test
    void readsEverythingAgainWhenItsChangesWerePruned() {
        UUID uuid = UUID.randomUUID();
        RegistryFeedStore.ReadRegistry before = store.readEverything().await().atMost(LIMIT);
        admin().body("{\"policy\":\"affinity\"}").put("/v1/server_groups/" + uuid).then().statusCode(201);
        assertThat(store.prune(Duration.ZERO).await().atMost(LIMIT)).isPositive();
        assertThat(store.catchUp(before).await().atMost(LIMIT).registry().findServerGroup(uuid)).isNotNull();
    }

    /** Records are reused because two whole registries would not fit into the heap. */
    @Test
    void aFullReadReusesUnchangedRecordsAndUpdatesTheirHeartbeats() {
        List<UUID> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(UUID.randomUUID());
            execute("INSERT INTO compute_nodes (uuid, body) VALUES ('%1$s', '{\"host\":\"%1$s\"}')"
                    .formatted(nodes.get(i)));
            execute("INSERT INTO services (uuid, body) VALUES ('%1$s', '{\"host\":\"%1$s\"}')".formatted(nodes.get(i)));
            execute("INSERT INTO instances (uuid, body) VALUES ('%1$s', '{\"host\":\"%1$s\"}')"
                    .formatted(nodes.get(i)));
        }
        RegistrySnapshot known = store.readEverything().await().atMost(LIMIT).registry();
        for (String table : List.of("compute_nodes", "services", "instances")) {
            execute("DELETE FROM %s WHERE uuid = '%s'".formatted(table, nodes.get(1)));
        }
        execute("UPDATE compute_nodes SET body = body || '{\"vcpus_total\": 5}' WHERE uuid = '" + nodes.get(2) + "'");
        execute("UPDATE services SET last_heartbeat = now() + interval '1 hour' WHERE uuid = '" + nodes.get(0) + "'");
        UUID later = UUID.randomUUID();
        execute("INSERT INTO instances (uuid, body) VALUES ('%s', '{\"host\":\"%s\"}')".formatted(later, nodes.get(0)));

        RegistrySnapshot now = store.readEverything(known).await().atMost(LIMIT).registry();
        RegistrySnapshot reread = store.readEverything().await().atMost(LIMIT).registry();
        assertThat(now.findComputeNode(nodes.get(0))).isSameAs(known.findComputeNode(nodes.get(0)));
        assertThat(now.findService(nodes.get(0))).isSameAs(known.findService(nodes.get(0)));
        assertThat(now.findService(nodes.get(0)).lastHeartbeat())
                .isEqualTo(reread.findService(nodes.get(0)).lastHeartbeat());
        assertThat(now.findComputeNode(nodes.get(1))).isNull();
        assertThat(now.findService(nodes.get(1).toString())).isNull();
        assertThat(now.findInstance(nodes.get(1))).isNull();
        assertThat(now.findComputeNode(nodes.get(2)).state().vcpusTotal()).isEqualTo(5);
        assertThat(now.findInstance(later)).isEqualTo(reread.findInstance(later));
        assertThat(now.instanceCount()).isEqualTo(reread.instanceCount());
        assertThat(now.computeNodeCount()).isEqualTo(reread.computeNodeCount());
        assertThat(now.instancesOn(nodes.get(2).toString(), nodes.get(2).toString()))
                .isSameAs(known.instancesOn(nodes.get(2).toString(), nodes.get(2).toString()));
    }

    @Test
    void prunesLargeNumbersOfChanges() {
        execute("INSERT INTO registry_changes (collection, uuid) SELECT 'cells', gen_random_uuid()"
                + " FROM generate_series(1, 25000)");
        eventually("all changes are pruned", () -> {
            store.prune(Duration.ZERO).await().atMost(LIMIT);
            return pool.query("SELECT 1 FROM registry_changes").execute().await().atMost(LIMIT).size() == 0;
        });
    }

    /** The open transaction is the xmin of all snapshots, so all the changes are newer than their xmin. */
    @Test
    void skipsKnownChangesWhileATransactionIsOpenInAnotherDatabase() throws Exception {
        var connection = pool.getConnection().await().atMost(LIMIT);
        var plan = new StringBuilder();
        try (var elsewhere = OpenTransaction.inAnotherDatabase()) {
            execute("INSERT INTO registry_changes (collection, uuid) SELECT 'cells', gen_random_uuid()"
                    + " FROM generate_series(1, 100000)");
            execute("ANALYZE registry_changes");
            connection.query("PREPARE asked (text, int) AS " + RegistryFeedStore.CATCH_UP).execute().await()
                    .atMost(LIMIT);
            connection.query("EXPLAIN (ANALYZE, BUFFERS OFF) EXECUTE asked (pg_current_snapshot()::text, 5001)")
                    .execute()
                    .await().atMost(LIMIT).forEach(row -> plan.append(row.getString(0)).append('\n'));
            connection.query("DEALLOCATE asked").execute().await().atMost(LIMIT);
        }
        connection.close().await().atMost(LIMIT);
        execute("DELETE FROM registry_changes WHERE collection = 'cells'");
        assertThat(plan.toString()).contains("registry_changes_by_xid")
                .doesNotContain("Rows Removed by", "Seq Scan on registry_changes");
    }

    /** Reproduces a restore over the tables of a running service whose connections stay open. */
    @Test
    void readsEverythingAgainWhenItsTablesWereReplaced() {
        RegistryFeedStore.ReadRegistry before = store.readEverything().await().atMost(LIMIT);
        UUID unrecorded = insertUnrecorded();
        assertThat(store.catchUp(before).await().atMost(LIMIT).registry().findServerGroup(unrecorded)).isNull();
        execute("CREATE TABLE restored (LIKE registry_pruned INCLUDING ALL)");
        execute("INSERT INTO restored SELECT * FROM registry_pruned");
        execute("DROP TABLE registry_pruned");
        execute("ALTER TABLE restored RENAME TO registry_pruned");
        assertThat(store.catchUp(before).await().atMost(LIMIT).registry().findServerGroup(unrecorded)).isNotNull();
    }

    /** Reproduces pg_restore on a new server: changes and watermark have transaction ids that it has not reached. */
    @Test
    void resetsAChangeLogWhoseTransactionIdsAreInTheFuture() throws Exception {
        try (var elsewhere = OpenTransaction.inAnotherDatabase()) {
            execute("INSERT INTO registry_changes (xid, collection, uuid)"
                    + " SELECT (pg_current_xact_id()::text::bigint + 1000000)::text::xid8, 'cells', gen_random_uuid()"
                    + " FROM generate_series(1, 6000)");
            execute("UPDATE registry_pruned SET xid = (pg_current_xact_id()::text::bigint + 900000)::text::xid8");
            RegistryFeedStore.ReadRegistry read = store.readEverything().await().atMost(LIMIT);
            UUID unrecorded = insertUnrecorded();
            // A full read would find it.
            assertThat(store.catchUp(read).await().atMost(LIMIT).registry().findServerGroup(unrecorded)).isNull();
        }
    }

    /** Uses an operator's connection, without the schema in its search path. */
    @Test
    void seesChangesMadeByAnOperatorsSql() throws Exception {
        String uuid = UUID.randomUUID().toString();
        String host = "own-" + uuid;
        current();
        try (Connection operator = DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + PostgresForTests.port() + "/postgres", "postgres",
                "postgres");
                Statement sql = operator.createStatement()) {
            sql.execute("SET search_path = pg_catalog");
            for (String statement : List.of(
                    "INSERT INTO scheduler.host_aggregates (uuid, body) VALUES"
                            + " ('%1$s', '{\"name\": \"%2$s\", \"hosts\": [\"%2$s\"]}')",
                    "INSERT INTO scheduler.services (uuid, body) VALUES"
                            + " ('%1$s', '{\"host\": \"%2$s\", \"disabled\": true}')",
                    "INSERT INTO scheduler.compute_nodes (uuid, body) VALUES ('%1$s', '{\"host\": \"%2$s\"}')",
                    "INSERT INTO scheduler.instances (uuid, body) VALUES ('%1$s', '{\"host\": \"%2$s\"}')",
                    "INSERT INTO scheduler.server_groups (uuid, body) VALUES"
                            + " ('%1$s', '{\"policy\": \"affinity\"}')",
                    "INSERT INTO scheduler.server_group_members (server_group, instance) VALUES ('%1$s', '%1$s')",
                    "UPDATE scheduler.compute_nodes SET body = body || '{\"nodename\": \"other\"}' WHERE uuid ="
                            + " '%1$s'")) {
                sql.execute(statement.formatted(uuid, host));
            }
            RegistrySnapshot now = current();
            assertThat(now.findService(host)).isNotNull();
            assertThat(now.aggregatesOf(host)).hasSize(1);
            assertThat(now.computeNodesOf(host)).extracting(ComputeNode::nodename).containsExactly("other");
            assertThat(now.findServerGroupOf(uuid)).isNotNull();
            var outbox = pool.preparedQuery("SELECT aggregates FROM sync_outbox WHERE status AND host = $1")
                    .execute(Tuple.of(host)).await().atMost(LIMIT);
            assertThat(outbox.iterator().next().getArrayOfUUIDs(0)).containsExactly(UUID.fromString(uuid));
            for (String table : List.of("host_aggregates", "services", "compute_nodes", "instances", "server_groups")) {
                sql.execute("DELETE FROM scheduler." + table + " WHERE uuid = '" + uuid + "'");
            }
            sql.execute("DELETE FROM scheduler.sync_outbox WHERE host = '" + host + "'");
        }
        assertThat(current().computeNodesOf(host)).isEmpty();
    }

    /** No heartbeat is stored during an outage, so all hosts would count as down until their next heartbeat. */
    @Test
    void extendsTheDownTimeByTheDurationOfAnOutage() {
        Duration configured = Duration.ofDays(1);
        execute("ALTER TABLE registry_pruned RENAME TO registry_pruned_away");
        long began;
        long ended;
        try {
            assertThatThrownBy(this::current).isNotNull();
            began = System.nanoTime();
            assertThatThrownBy(this::current).isNotNull();
            ended = System.nanoTime();
        } finally {
            execute("ALTER TABLE registry_pruned_away RENAME TO registry_pruned");
        }
        Duration extended = current().downTime(configured);
        assertThat(extended).isGreaterThanOrEqualTo(configured.plusNanos(ended - began));
        assertThat(current().downTime(configured)).as("the next read").isEqualTo(extended);
        assertThat(current().downTime(Duration.ZERO)).as("every service had time for a heartbeat").isZero();
        execute("ALTER TABLE registry_pruned RENAME TO registry_pruned_away");
        try {
            assertThatThrownBy(this::current).isNotNull();
        } finally {
            execute("ALTER TABLE registry_pruned_away RENAME TO registry_pruned");
        }
        eventually("the feed queries the database again without a request", () -> !feed.isDatabaseAway());
        assertThat(current().downTime(configured)).as("after a second outage").isGreaterThan(extended);
    }

    private UUID insertUnrecorded() {
        UUID uuid = UUID.randomUUID();
        execute("INSERT INTO server_groups (uuid, body) VALUES ('" + uuid + "', '{\"policy\":\"affinity\"}')");
        execute("DELETE FROM registry_changes WHERE uuid = '" + uuid + "'");
        return uuid;
    }

    private void execute(String sql) {
        pool.query(sql).execute().await().atMost(LIMIT);
    }

    @Test
    void setsHeartbeatsByTheDatabaseClock() {
        UUID uuid = UUID.randomUUID();
        admin().body("{\"host\":\"beating-" + uuid + "\"}").put("/v1/services/" + uuid).then().statusCode(201);
        Instant first = current().findService("beating-" + uuid).lastHeartbeat();
        admin().post("/v1/services/" + uuid + "/heartbeat").then().statusCode(204);
        RegistrySnapshot now = current();
        ComputeService service = now.findService("beating-" + uuid);
        assertThat(service.lastHeartbeat()).isAfter(first);
        assertThat(service.hasRecentHeartbeat(now.asOf(), Duration.ofHours(1))).isTrue();
        assertThat(service.hasRecentHeartbeat(now.asOf().plusSeconds(3_601), Duration.ofHours(1))).isFalse();
        admin().get("/v1/services/" + uuid).then().statusCode(200);
        admin().post("/v1/services/" + UUID.randomUUID() + "/heartbeat").then().statusCode(404);
    }

    @Test
    void servesManyConcurrentReaders() {
        List<CompletableFuture<RegistrySnapshot>> reads = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            reads.add(feed.current().subscribeAsCompletionStage());
        }
        assertThat(reads).allSatisfy(read -> assertThat(read.get(5, TimeUnit.MINUTES)).isNotNull());
    }
}
