package io.berth.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * A table of changes: a row for each object that a transaction changed, written by that transaction. A reader that
 * holds a snapshot queries the changes that its snapshot does not show; writers need not know the readers.
 *
 * <p>A snapshot does not show the transactions from its end ({@code xmax}) on, and those that were in progress ({@code
 * xip}). Both are looked up by key, instead of by the range from the snapshot's beginning ({@code xmin}): there may be
 * millions of rows between beginning and end, because a single transaction that stays open, in any database of the
 * cluster, holds back the beginning of all snapshots.
 *
 * @param name name of the table. Its columns {@code xid} (xid8, of the top-level transaction) and {@code at}
 *         (timestamptz) have an index each
 * @param object its columns that identify the changed object
 * @param watermark name of a table of one row
 * @param pruned column of that table (xid8): changes of transactions up to this one may have been removed
 */
public record ChangeTable(String name, String object, String watermark, String pruned) {
    private static final Logger LOG = Logger.getLogger(ChangeTable.class);
    /** The limit of rows that one statement removes. */
    private static final int SLICE = 10_000;

    /**
     * Returns a query. Params: 1 a snapshot (text). Its result has a row for each object that the snapshot does not
     * show in its present state; two rows for an object in both selects. There are two selects instead of one with OR,
     * for which PostgreSQL may read the whole index.
     */
    public String since() {
        return """
                (SELECT DISTINCT %2$s FROM %1$s WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot))
                 UNION ALL
                (SELECT DISTINCT %2$s FROM %1$s WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot))))
                """.formatted(name, object);
    }

    /** Returns a boolean expression: whether anything has changed since the snapshot. Params: 1 a snapshot (text). */
    public String isAnySince() {
        return """
                (EXISTS (SELECT FROM %1$s WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot))
                 OR EXISTS (SELECT FROM %1$s
                             WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))))
                """.formatted(name);
    }

    /**
     * Returns a boolean expression: whether all changes since the snapshot are still in the table. Params: 1 a snapshot
     * (text). It refers to the watermark as {@code w}.
     */
    public String isComplete() {
        return "(w.%s < pg_snapshot_xmin($1::text::pg_snapshot))".formatted(pruned);
    }

    /**
     * Removes, in slices, changes that are older than {@code kept}. Removes only changes that every running transaction
     * already sees, so a snapshot that is taken from now on is never behind the watermark. Several replicas may prune
     * at once.
     *
     * @return number of removed changes
     */
    public Uni<Long> prune(Pool pool, Duration kept) {
        return Uni.createFrom().deferred(() -> pool.preparedQuery(prune()).execute(Tuple.of(kept.toMillis() / 1e3)))
                .map(rows -> rows.iterator().next().getLong("removed"))
                .repeat().whilst(removed -> removed == SLICE)
                .collect().with(Collectors.summingLong(removed -> removed));
    }

    /**
     * Returns the statement that removes a slice. Params: 1 seconds to keep. The newest change to remove is found by
     * time, all others by transaction, from the watermark on. The search begins there, because removed entries stay in
     * the index as long as any transaction might see them.
     */
    String prune() {
        return """
                WITH gone AS (
                     DELETE FROM %1$s
                      WHERE ctid = ANY(ARRAY(
                            SELECT ctid FROM %1$s
                             WHERE xid >= (SELECT %3$s FROM %2$s)
                               AND xid < pg_snapshot_xmin(pg_current_snapshot())
                               AND xid <= (SELECT xid FROM %1$s WHERE at < now() - make_interval(secs => $1)
                                            ORDER BY at DESC LIMIT 1)
                             ORDER BY xid
                             LIMIT %4$d))
                     RETURNING xid),
                last AS (SELECT max(xid) AS newest, count(*) AS removed FROM gone),
                noted AS (
                     UPDATE %2$s w SET %3$s = greatest(w.%3$s, last.newest) FROM last WHERE last.newest IS NOT NULL)
                SELECT removed FROM last
                """.formatted(name, watermark, pruned, SLICE);
    }

    /**
     * Removes changes that another server recorded; call it before everything is read again. They have transaction ids
     * of the server that ran them. After a restore onto a server with lower ids these would belong to future
     * transactions: every query would return all of these changes, or, because of the watermark, too few, until this
     * server reaches those ids, if ever. A reader that reads everything again needs no record of earlier changes.
     *
     * @return whether there were any
     */
    public Uni<Boolean> forgetForeign(Pool pool) {
        return pool.query(hasForeign()).execute()
                .map(rows -> rows.iterator().next().getBoolean("has_foreign"))
                .call(hasForeign -> hasForeign
                        ? pool.query(forgetForeignNow()).execute().invoke(() -> LOG.infof(
                                "this database was restored from another server: %s is reset", name))
                        : Uni.createFrom().voidItem());
    }

    /**
     * Returns a query of one row. Whatever a statement sees was committed below the end of its own snapshot, or else by
     * another server.
     */
    private String hasForeign() {
        return """
                SELECT NOT pg_is_in_recovery()
                       AND (EXISTS (SELECT FROM %1$s WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                            OR EXISTS (SELECT FROM %2$s
                                        WHERE %3$s >= pg_snapshot_xmax(pg_current_snapshot()))) AS has_foreign
                """.formatted(name, watermark, pruned);
    }

    /** Returns the statement that removes them. It may run on several replicas at once. */
    private String forgetForeignNow() {
        return """
                WITH gone AS (DELETE FROM %1$s WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                UPDATE %2$s SET %3$s = '0' WHERE %3$s >= pg_snapshot_xmax(pg_current_snapshot())
                """.formatted(name, watermark, pruned);
    }
}
