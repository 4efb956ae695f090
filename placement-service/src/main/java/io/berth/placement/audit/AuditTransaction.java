package io.berth.placement.audit;

import io.berth.database.Deadlocks;
import io.berth.placement.db.CatalogueWrite;
import io.berth.placement.db.HangingDatabase;
import io.berth.placement.db.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Function;

/** Runs the transactions of audits, one at a time in the whole database. */
@Singleton
final class AuditTransaction {
    private static final Duration DURATION_MAX = Duration.ofMinutes(2);

    /**
     * Rows are stored as text, so their times need one zone. Statements must end before the pool closes silent
     * connections. The transaction is idle while the fleet is read on another connection.
     */
    private static final String SETTINGS = """
            SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '30s', true),
                   set_config('idle_in_transaction_session_timeout', '120s', true),
                   set_config('TimeZone', 'UTC', true), set_config('jit', 'off', true)
            """;

    /**
     * The advisory lock of audits, released with the transaction. Its number is arbitrary and used for nothing else.
     */
    private static final String ONLY_ONE = "SELECT pg_try_advisory_xact_lock(774412) AS free";

    private final Pool pool;
    private final Reads reads;
    private final HangingDatabase database;

    AuditTransaction(Pool pool, Reads reads, HangingDatabase database) {
        this.pool = pool;
        this.reads = reads;
        this.database = database;
    }

    /** Runs work that changes nothing; returns {@code busy} if another audit is running. */
    <T> Uni<T> read(Function<SqlConnection, Uni<T>> work, T busy) {
        return repeated(reads.transaction(alone(work, busy)));
    }

    /**
     * Commits if {@code work} returns an item, rolls back if it fails; returns {@code busy} if another audit is
     * running.
     */
    <T> Uni<T> write(Function<SqlConnection, Uni<T>> work, T busy) {
        return repeated(Uni.createFrom().deferred(() -> database.hangs()
                ? Uni.createFrom().failure(HangingDatabase.refusal())
                : pool.withTransaction(alone(work, busy))));
    }

    private static <T> Function<SqlConnection, Uni<T>> alone(Function<SqlConnection, Uni<T>> work, T busy) {
        return connection -> connection.query(SETTINGS).execute()
                .chain(() -> connection.query(ONLY_ONE).execute())
                .chain(rows -> rows.iterator().next().getBoolean("free")
                        ? work.apply(connection) : Uni.createFrom().item(busy));
    }

    private static <T> Uni<T> repeated(Uni<T> transaction) {
        return Deadlocks.repeated(transaction).ifNoItem().after(DURATION_MAX).fail();
    }

    /** Locks the tree structure, before all other locks: no parent changes until the transaction ends. */
    static Uni<Void> lockTrees(SqlConnection connection) {
        return connection.query(CatalogueWrite.LOCK_TREES).execute().replaceWithVoid();
    }
}
