package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.OpenTransaction;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the feed against a real database. Two feeds on one database stand for two replicas. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class FleetFeedIT {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String INSERT = """
            WITH p AS (INSERT INTO resource_providers (uuid, name, root_id)
                       VALUES ('%1$s', '%1$s', currval(pg_get_serial_sequence('resource_providers', 'id'))) RETURNING id)
            INSERT INTO fleet_changes (kind, object_id) SELECT 0, id FROM p
            """;

    @Inject
    FleetFeed feed;

    @Inject
    FleetStore store;

    @Inject
    FleetPruning pruning;

    @Inject
    @ReactiveDataSource("fleet")
    Pool fleetPool;

    @Inject
    Pool pool;

    @Test
    void loadsStandardTraitsAndClasses() {
        var view = feed.fresh().await().indefinitely();
        assertThat(view.traits().find("COMPUTE_STATUS_DISABLED")).isNotNull();
        assertThat(view.resourceClasses().find("VCPU").id()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "BEGIN                  | SELECT 1                   | COMMIT",
        "BEGIN; SAVEPOINT point | RELEASE SAVEPOINT point    | COMMIT",
        "BEGIN                  | PREPARE TRANSACTION 'late' | COMMIT PREPARED 'late'"})
    void seesAChangeThatCommitsAfterALaterOneOfAnotherTransaction(String begin, String pause, String commit) {
        FleetStore.LoadedFleet before = store.load(FleetView.empty()).await().indefinitely();
        UUID early = UUID.randomUUID();
        UUID late = UUID.randomUUID();
        SqlConnection slow = pool.getConnectionAndAwait();
        slow.query(begin).executeAndAwait();
        insert(slow, early);
        slow.query(pause).executeAndAwait();
        SqlConnection quick = pool.getConnectionAndAwait();
        insert(quick, late);
        quick.closeAndAwait();
        FleetStore.LoadedFleet between = store.catchUp(before).await().indefinitely();
        assertThat(between.view().find(late)).isNotNull();
        assertThat(between.view().find(early)).isNull();
        slow.query(commit).executeAndAwait();
        slow.closeAndAwait();
        assertThat(store.catchUp(between).await().indefinitely().view().find(early)).isNotNull();
    }

    /** Writers on many connections read their own writes at once through two feeds that serve all of them. */
    @Test
    void everyWriterSeesItsWriteThroughEveryReplica() throws Exception {
        FleetFeed other = new FleetFeed(store);
        try (var threads = Executors.newFixedThreadPool(6)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < 6; writer++) {
                writers.add(threads.submit(() -> {
                    for (int i = 0; i < 40; i++) {
                        UUID uuid = UUID.randomUUID();
                        SqlConnection connection = pool.getConnectionAndAwait();
                        insert(connection, uuid);
                        connection.closeAndAwait();
                        assertThat(feed.fresh().await().indefinitely().find(uuid)).isNotNull();
                        assertThat(other.fresh().await().indefinitely().find(uuid)).isNotNull();
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
    }

    @Test
    void reloadsIfItsChangesWerePruned() {
        FleetStore.LoadedFleet loaded = store.load(FleetView.empty()).await().indefinitely();
        UUID uuid = UUID.randomUUID();
        SqlConnection connection = pool.getConnectionAndAwait();
        insert(connection, uuid);
        pruneAll(connection);
        connection.closeAndAwait();
        assertThat(store.catchUp(loaded).await().indefinitely()).isNull();
        assertThat(feed.fresh().await().indefinitely().find(uuid)).isNotNull();
        assertThat(feed.fresh().await().indefinitely().find(uuid)).isNotNull();
    }

    @Test
    void prunesMoreChangesThanOneStatementRemoves() {
        SqlConnection connection = pool.getConnectionAndAwait();
        connection.query("INSERT INTO fleet_changes (kind, object_id) SELECT 0, -n FROM generate_series(1, 25000) n")
                .executeAndAwait();
        pruneAll(connection);
        connection.closeAndAwait();
    }

    @Test
    void keepsRecentChanges() {
        SqlConnection connection = pool.getConnectionAndAwait();
        connection.query("INSERT INTO fleet_changes (kind, object_id, at)"
                + " VALUES (0, -1, now() - interval '11 minutes')").executeAndAwait();
        connection.query("INSERT INTO fleet_changes (kind, object_id, at)"
                + " VALUES (0, -2, now() - interval '9 minutes')").executeAndAwait();
        prune(FleetPruning.KEEP_TIME, connection, "object_id = -1");
        assertThat(count(connection, "object_id = -2")).isEqualTo(1);
        connection.query("DELETE FROM fleet_changes WHERE object_id < 0").executeAndAwait();
        connection.closeAndAwait();
    }

    /**
     * Every snapshot starts at the open transaction, so a new one would be behind changes that were removed after it.
     */
    @Test
    void keepsChangesMadeAfterAnOpenTransactionBegan() throws Exception {
        SqlConnection connection = pool.getConnectionAndAwait();
        FleetStore.LoadedFleet caughtUp;
        try (var elsewhere = OpenTransaction.inAnotherDatabase()) {
            FleetStore.LoadedFleet loaded = store.load(FleetView.empty()).await().indefinitely();
            insert(connection, UUID.randomUUID());
            caughtUp = store.catchUp(loaded).await().indefinitely();
            pruning.prune(Duration.ofSeconds(-1)).await().indefinitely();
            assertThat(store.catchUp(loaded).await().indefinitely().changes()).isEqualTo(1);
            assertThat(store.catchUp(caughtUp).await().indefinitely().changes()).isZero();
        }
        pruneAll(connection);
        connection.closeAndAwait();
    }

    @Test
    void reloadsAfterItsConnectionWasCut() {
        feed.fresh().await().indefinitely();
        // If the first call reloaded, the last statement of the connection is not the one that is terminated below.
        feed.fresh().await().indefinitely();
        SqlConnection connection = pool.getConnectionAndAwait();
        UUID unrecorded = UUID.randomUUID();
        insert(connection, unrecorded);
        connection.query("DELETE FROM fleet_changes WHERE object_id = (SELECT id FROM resource_providers WHERE uuid = '"
                + unrecorded + "')")
                .executeAndAwait();
        connection.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_snapshot_xip%' AND pid"
                        + " <> pg_backend_pid()")
                .executeAndAwait();
        connection.closeAndAwait();
        FleetView view = null;
        for (int attempt = 0; view == null && attempt < 20; attempt++) {
            view = feed.fresh().onFailure().recoverWithNull().await().indefinitely();
        }
        assertThat(view.find(unrecorded)).isNotNull();
    }

    /** Reloads after broken connections must not multiply the fleet in memory. */
    @Test
    void reloadSharesUnchangedProvidersAndTrees() {
        UUID one = UUID.randomUUID();
        UUID two = UUID.randomUUID();
        SqlConnection connection = pool.getConnectionAndAwait();
        insert(connection, one);
        insert(connection, two);
        FleetView first = store.load(FleetView.empty()).await().indefinitely().view();
        connection.query("UPDATE resource_providers SET generation = 7 WHERE uuid = '" + two + "'").executeAndAwait();
        connection.closeAndAwait();
        FleetView second = store.load(first).await().indefinitely().view();
        assertThat(second.find(one)).isSameAs(first.find(one));
        assertThat(second.treeOf(second.find(one))).isSameAs(first.treeOf(first.find(one)));
        assertThat(first.find(two).generation()).isZero();
        assertThat(second.find(two).generation()).isEqualTo(7);
    }

    /**
     * As after pg_restore on a new server: the changes and the watermark have transaction ids that this server has not
     * reached yet. One of its own transactions stays open.
     */
    @Test
    void resetsChangesFromAServerWithHigherTransactionIds() throws Exception {
        SqlConnection connection = pool.getConnectionAndAwait();
        try (var elsewhere = OpenTransaction.inAnotherDatabase()) {
            connection.query("INSERT INTO fleet_changes (xid, kind, object_id)"
                    + " SELECT (pg_current_xact_id()::text::bigint + 1000000)::text::xid8, 0, -n"
                    + " FROM generate_series(1, 9) n").executeAndAwait();
            connection
                    .query("UPDATE fleet_watermark"
                            + " SET pruned_before = (pg_current_xact_id()::text::bigint + 900000)::text::xid8")
                    .executeAndAwait();
            FleetStore.LoadedFleet loaded = store.load(FleetView.empty()).await().indefinitely();
            UUID later = UUID.randomUUID();
            insert(connection, later);
            FleetStore.LoadedFleet caughtUp = store.catchUp(loaded).await().indefinitely();
            assertThat(caughtUp.changes()).isEqualTo(1);
            assertThat(caughtUp.view().find(later)).isNotNull();
            assertThat(feed.fresh().await().indefinitely().find(later)).isNotNull();
        }
        connection.closeAndAwait();
    }

    /** A view from before the reset cannot catch up. */
    @Test
    void reloadsOnceAfterChangesWereReset() {
        FleetStore.LoadedFleet held = store.load(FleetView.empty()).await().indefinitely();
        SqlConnection connection = pool.getConnectionAndAwait();
        connection.query("INSERT INTO fleet_changes (xid, kind, object_id)"
                + " VALUES ((pg_current_xact_id()::text::bigint + 1000000)::text::xid8, 0, -1)").executeAndAwait();
        connection.closeAndAwait();
        FleetStore.LoadedFleet reloaded = store.load(FleetView.empty()).await().indefinitely();
        assertThat(store.catchUp(held).await().indefinitely()).isNull();
        assertThat(store.catchUp(reloaded).await().indefinitely()).isNotNull();
    }

    /** If nothing has changed, the next query is a smaller one; it returns the same. */
    @Test
    void findsAChangeAfterACatchUpWithoutChanges() {
        FleetStore.LoadedFleet quiet = quiet();
        UUID later = UUID.randomUUID();
        SqlConnection connection = pool.getConnectionAndAwait();
        insert(connection, later);
        connection.closeAndAwait();
        FleetStore.LoadedFleet caughtUp = store.catchUp(quiet).await().indefinitely();
        assertThat(caughtUp.changes()).isEqualTo(1);
        assertThat(caughtUp.view().find(later)).isNotNull();
        assertThat(caughtUp.snapshot()).isNotEqualTo(quiet.snapshot());
    }

    /** Catches up twice, the second time without a change. */
    private FleetStore.LoadedFleet quiet() {
        FleetStore.LoadedFleet loaded =
                store.catchUp(store.load(FleetView.empty()).await().indefinitely()).await().indefinitely();
        FleetStore.LoadedFleet quiet = store.catchUp(loaded).await().indefinitely();
        assertThat(quiet.changes()).isZero();
        assertThat(quiet.view()).isSameAs(loaded.view());
        return quiet;
    }

    /** After a busy period the planner expects thousands of changes although there are few. */
    @Test
    void looksUpChangesByKeyDespiteStaleStatistics() {
        addChanges();
        pool.query("ANALYZE fleet_changes").executeAndAwait();
        SqlConnection connection = fleetPool.getConnectionAndAwait();
        // Makes parallel plans as attractive as with millions of rows.
        connection.query("SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0").executeAndAwait();
        String plan = plan(connection, FleetStore.CATCH_UP);
        connection.query("RESET parallel_setup_cost; RESET parallel_tuple_cost").executeAndAwait();
        connection.closeAndAwait();
        removeChanges();
        assertThat(plan).contains("Nested Loop").doesNotContainPattern("Parallel|(Hash|Merge) (\\w+ )?Join");
    }

    /** All snapshots start at that transaction, and all changes lie between its start and their end. */
    @Test
    void skipsKnownChangesWhileAnotherDatabaseHasATransactionOpen() throws Exception {
        List<String> plans = new ArrayList<>();
        try (var elsewhere = OpenTransaction.inAnotherDatabase()) {
            addChanges();
            SqlConnection connection = fleetPool.getConnectionAndAwait();
            plans.add(plan(connection, FleetStore.CATCH_UP));
            plans.add(plan(connection, FleetStore.CHECK_FOR_CHANGES));
            pool.query("ANALYZE fleet_changes").executeAndAwait();
            plans.add(plan(connection, FleetStore.CATCH_UP));
            plans.add(plan(connection, FleetStore.CHECK_FOR_CHANGES));
            connection.closeAndAwait();
        }
        removeChanges();
        assertThat(plans).allSatisfy(plan -> assertThat(plan)
                .contains("fleet_changes_xid").doesNotContain("Rows Removed by", "Seq Scan on fleet_changes"));
    }

    /** Inserts in portions, as the removal deletes, so that no statement exceeds the service's timeout. */
    private void addChanges() {
        for (int first = 1; first < 300_000; first += 20_000) {
            pool.query("INSERT INTO fleet_changes (kind, object_id) SELECT 0, -n FROM generate_series(%d, %d) n"
                    .formatted(first, first + 19_999)).executeAndAwait();
        }
    }

    private void removeChanges() {
        for (int first = 1; first < 300_000; first += 20_000) {
            pool.query("DELETE FROM fleet_changes WHERE object_id BETWEEN %d AND %d".formatted(-first - 19_999, -first))
                    .executeAndAwait();
        }
    }

    /** Returns the plan of a query whose snapshot contains every change. */
    private static String plan(SqlConnection connection, String sql) {
        boolean isLimited = sql.contains("$2");
        connection.query("PREPARE asked (text" + (isLimited ? ", int" : "") + ") AS " + sql).executeAndAwait();
        var plan = new StringBuilder();
        connection.query("EXPLAIN (ANALYZE, BUFFERS OFF) EXECUTE asked (pg_current_snapshot()::text"
                + (isLimited ? ", 20001" : "") + ")").executeAndAwait()
                .forEach(row -> plan.append(row.getString(0)).append('\n'));
        connection.query("DEALLOCATE asked").executeAndAwait();
        return plan.toString();
    }

    /** The tables are replaced as by a restore under a running service, which keeps its connections. */
    @Test
    void reloadsIfItsTablesWereReplaced() {
        FleetStore.LoadedFleet loaded = store.load(FleetView.empty()).await().indefinitely();
        FleetStore.LoadedFleet quiet = quiet();
        SqlConnection connection = pool.getConnectionAndAwait();
        for (String sql : List.of(
                "CREATE TABLE restored (LIKE fleet_watermark INCLUDING ALL)",
                "INSERT INTO restored SELECT * FROM fleet_watermark",
                "DROP TABLE fleet_watermark",
                "ALTER TABLE restored RENAME TO fleet_watermark")) {
            connection.query(sql).executeAndAwait();
        }
        connection.closeAndAwait();
        assertThat(store.catchUp(loaded).await().indefinitely()).isNull();
        assertThat(store.catchUp(quiet).await().indefinitely()).isNull();
    }

    private void pruneAll(SqlConnection connection) {
        prune(Duration.ofSeconds(-1), connection, "true");
    }

    /**
     * Prunes until no such changes are left: other tests may briefly have a transaction open, which keeps later
     * changes.
     */
    private void prune(Duration kept, SqlConnection connection, String which) {
        long endNanos = System.nanoTime() + LONG.toNanos();
        do {
            assertThat(System.nanoTime()).isLessThan(endNanos);
            pruning.prune(kept).await().indefinitely();
        } while (count(connection, which) > 0);
    }

    private static long count(SqlConnection connection, String condition) {
        return connection.query("SELECT count(*) FROM fleet_changes WHERE " + condition).executeAndAwait()
                .iterator().next().getLong(0);
    }

    private static void insert(SqlConnection connection, UUID uuid) {
        connection.query(INSERT.formatted(uuid)).executeAndAwait();
    }
}
