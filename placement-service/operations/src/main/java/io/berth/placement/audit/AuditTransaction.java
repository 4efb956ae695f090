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

/**
 * Runs the transactions of audits and undos, one at a time in the whole database. After a deadlock, a transaction is
 * run again.
 */
@Singleton
final class AuditTransaction {
    /** The longest duration of a transaction with its repetitions; beyond it, the request fails. */
    private static final Duration DURATION_MAX = Duration.ofMinutes(2);

    /**
     * Settings of the transaction. The time zone is UTC because {@code audit_changes} stores times as text. The
     * statement timeout is shorter than the time after which the pool closes a silent connection. The idle timeout is
     * long because the transaction is idle while the fleet is read on another connection.
     */
    private static final String SETTINGS = """
            SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '30s', true),
                   set_config('idle_in_transaction_session_timeout', '120s', true),
                   set_config('TimeZone', 'UTC', true), set_config('jit', 'off', true)
            """;

    /**
     * Tries to take the advisory lock of audits, which PostgreSQL releases at the end of the transaction. Returns one
     * row: {@code free}, true if the lock was taken. The number of the lock is arbitrary; no other lock has it.
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

    /**
     * Runs {@code work}, which must change nothing, in a transaction. Returns {@code busy} if another audit or undo is
     * running.
     */
    <T> Uni<T> read(Function<SqlConnection, Uni<T>> work, T busy) {
        return repeated(reads.transaction(exclusively(work, busy)));
    }

    /**
     * Runs {@code work} in a transaction. Commits if {@code work} completes, and rolls back if it fails. Returns {@code
     * busy} if another audit or undo is running.
     */
    <T> Uni<T> write(Function<SqlConnection, Uni<T>> work, T busy) {
        return repeated(Uni.createFrom().deferred(() -> database.hangs()
                ? Uni.createFrom().failure(HangingDatabase.refusal())
                : pool.withTransaction(exclusively(work, busy))));
    }

    private static <T> Function<SqlConnection, Uni<T>> exclusively(Function<SqlConnection, Uni<T>> work, T busy) {
        return connection -> connection.query(SETTINGS).execute()
                .chain(() -> connection.query(ONLY_ONE).execute())
                .chain(rows -> rows.iterator().next().getBoolean("free")
                        ? work.apply(connection) : Uni.createFrom().item(busy));
    }

    private static <T> Uni<T> repeated(Uni<T> transaction) {
        return Deadlocks.repeated(transaction).ifNoItem().after(DURATION_MAX).fail();
    }

    /**
     * Locks the structure of all trees: until the transaction ends, no other transaction changes a parent or adds a
     * child. Must be called before all row locks are taken.
     */
    static Uni<Void> lockTrees(SqlConnection connection) {
        return connection.query(CatalogueWrite.LOCK_TREES).execute().replaceWithVoid();
    }
}
