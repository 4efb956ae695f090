package io.berth.placement.allocation;

import io.berth.context.Recurring;
import io.berth.database.ChangeTable;
import io.berth.database.Origin;
import io.berth.placement.db.Reads;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Reads and prunes the record of consumers that released all their allocations. The ledger writes the record ({@code
 * released_consumers}) in the transaction of the release. Entries are kept for a day; the fences of these consumers
 * ({@code consumer_fences}, see {@link io.berth.placement.ledger.claim.Fence}) are kept for a week.
 */
@Singleton
final class ReleasedConsumerStore {
    /** The age up to which entries are kept. */
    private static final Duration ENTRIES_KEPT = Duration.ofDays(1);
    /** The time for which a fence is kept after the consumer has lost its row. */
    private static final Duration FENCES_KEPT = Duration.ofDays(7);
    /**
     * The most consumers in one response. If there are more, the response is incomplete, and the client must compare
     * all its consumers with placement.
     */
    static final int CONSUMERS_MAX = 50_000;

    private static final ChangeTable RELEASED =
            new ChangeTable("released_consumers", "uuid", "released_pruned", "xid");

    private static final String POSITION_COLUMNS = "pg_current_snapshot()::text AS snapshot,\n" + Origin.COLUMNS;

    /**
     * Returns one row with the current snapshot (text) and the columns of {@link Origin#COLUMNS}; takes no parameters.
     */
    private static final String NOW = "SELECT " + POSITION_COLUMNS + "\n  FROM released_pruned w";

    /**
     * Params: 1 a snapshot (text), 2 limit of consumers. Returns one row: the columns of {@link #NOW}; {@code
     * complete}, false if entries since the snapshot may have been pruned; and {@code consumers} as an array, because
     * one row per consumer would take many times the memory.
     */
    private static final String SINCE = "SELECT " + POSITION_COLUMNS + ",\n" + RELEASED.hasAllChangesSinceSql() + """
                   AS complete,
                   ARRAY(
            """ + RELEASED.changesSinceSql() + "LIMIT $2) AS consumers\n  FROM released_pruned w";

    /**
     * Params: 1 seconds to keep, 2 limit of rows. Deletes fences that are older. Takes no locks on consumers, and skips
     * a fence that another transaction is writing.
     */
    private static final String PRUNE_FENCES = """
            DELETE FROM consumer_fences
             WHERE uuid = ANY(ARRAY(
                   SELECT uuid FROM consumer_fences WHERE at < now() - make_interval(secs => $1)
                    LIMIT $2
                      FOR UPDATE SKIP LOCKED))
            """;
    /** The most fences that one statement deletes. */
    private static final int FENCES_SLICE = 10_000;

    private final Reads reads;
    private final Pool pool;

    ReleasedConsumerStore(Reads reads, Pool pool) {
        this.reads = reads;
        this.pool = pool;
    }

    /**
     * The consumers that released all their allocations since a position.
     *
     * @param until the position that the client sends as {@code since} next time
     * @param isComplete false if consumers may be missing; {@code consumers} is then empty. The reason is one of these:
     *         the client sent no position, or one from before a restart or restore of PostgreSQL; entries since the
     *         position may have been pruned; more than {@link #CONSUMERS_MAX} consumers released their allocations
     */
    record Released(ReleasedUntil until, boolean isComplete, List<UUID> consumers) {}

    /**
     * Returns the consumers that released all their allocations since the position.
     *
     * @param since the position of the client's previous response; null if the client has none
     */
    Uni<Released> since(@Nullable ReleasedUntil since) {
        if (since == null) {
            return readPosition();
        }
        return reads.run(SINCE, Tuple.of(since.snapshot(), CONSUMERS_MAX + 1)).chain(rows -> {
            Row row = rows.iterator().next();
            ReleasedUntil until = ReleasedUntil.of(row);
            UUID[] consumers = row.getArrayOfUUIDs("consumers");
            return !until.isOfSameServer(since) || !row.getBoolean("complete") || consumers.length > CONSUMERS_MAX
                    ? readPosition()
                    : Uni.createFrom().item(new Released(until, true, Arrays.asList(consumers)));
        });
    }

    private Uni<Released> readPosition() {
        return reads.run(NOW, Tuple.tuple())
                .map(rows -> new Released(ReleasedUntil.of(rows.iterator().next()), false, List.of()));
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(
                Duration.ofMinutes(1), () -> prune(ENTRIES_KEPT).chain(() -> pruneFences(FENCES_KEPT)),
                "released consumers not pruned");
    }

    /**
     * Deletes entries older than {@code kept}, and entries that another PostgreSQL server recorded before a restore
     * (see {@link ChangeTable#removeForeignChanges}). Until foreign entries are deleted, a response may contain them;
     * that is harmless, because clients check whether a listed consumer holds allocations.
     */
    Uni<Void> prune(Duration kept) {
        return RELEASED.removeForeignChanges(pool).chain(() -> RELEASED.prune(pool, kept)).replaceWithVoid();
    }

    /** Deletes, in slices, the fences of consumers that have had no row for the duration {@code kept}. */
    Uni<Void> pruneFences(Duration kept) {
        return Uni.createFrom()
                .deferred(() -> pool.preparedQuery(PRUNE_FENCES).execute(Tuple.of(kept.toMillis() / 1e3, FENCES_SLICE)))
                .repeat().whilst(rows -> rows.rowCount() == FENCES_SLICE)
                .collect().last()
                .replaceWithVoid();
    }
}
