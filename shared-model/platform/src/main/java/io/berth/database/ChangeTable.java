package io.berth.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * A table of changes: a row for each object that a transaction changed, written by that transaction. A reader with an
 * older snapshot queries the changes that its snapshot did not show; writers need not know the readers.
 *
 * <p>A snapshot does not show the transactions from its end ({@code xmax}) on, and those that were in progress ({@code
 * xip}). Each of the two is looked up by key. The rows between its beginning ({@code xmin}) and its end may be
 * millions: one transaction that stays open, anywhere in the cluster and in any of its databases, holds the beginning
 * of all snapshots back.
 *
 * @param name of the table: its columns {@code xid} (xid8, that of the top-level transaction) and {@code at}
 *         (timestamptz) have an index each
 * @param object its columns that name what changed
 * @param watermark a table of one row
 * @param pruned its column (xid8): changes of transactions up to this one may have been removed
 */
public record ChangeTable(String name, String object, String watermark, String pruned) {
    private static final Logger LOG = Logger.getLogger(ChangeTable.class);
    /** Rows that one statement removes. */
    private static final int SLICE = 10_000;

    /**
     * Params: 1 a snapshot (text). A row per object that changed since; two for one that changed both ways. Two selects
     * and not one with OR, which PostgreSQL may answer by reading the whole index.
     */
    public String since() {
        return """
                (SELECT DISTINCT %2$s FROM %1$s WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot))
                 UNION ALL
                (SELECT DISTINCT %2$s FROM %1$s WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot))))
                """.formatted(name, object);
    }

    /** Params: 1 a snapshot (text). An expression: whether anything changed since. */
    public String isAnySince() {
        return """
                (EXISTS (SELECT FROM %1$s WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot))
                 OR EXISTS (SELECT FROM %1$s
                             WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))))
                """.formatted(name);
    }

    /**
     * Params: 1 a snapshot (text). An expression, of the watermark as {@code w}: whether all changes since are still
     * there.
     */
    public String isComplete() {
        return "(w.%s < pg_snapshot_xmin($1::text::pg_snapshot))".formatted(pruned);
    }

    /**
     * Removes changes that are older than that, in slices. Only those that every transaction under way already sees: a
     * snapshot taken from now on is never behind the watermark. Any number of replicas may prune at once.
     *
     * @return how many
     */
    public Uni<Long> prune(Pool pool, Duration kept) {
        return Uni.createFrom().deferred(() -> pool.preparedQuery(prune()).execute(Tuple.of(kept.toMillis() / 1e3)))
                .map(rows -> rows.iterator().next().getLong("removed"))
                .repeat().whilst(removed -> removed == SLICE)
                .collect().with(Collectors.summingLong(removed -> removed));
    }

    /**
     * Params: 1 seconds to keep. One row. The newest of the old is found by time, all others by transaction, from the
     * watermark on: what was removed before stays in the index for as long as any transaction might see it.
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
     * Removes changes that another server recorded; call it before everything is read again. They name transactions of
     * the server that ran them: restored from a backup onto one with lower transaction ids, they would name future
     * transactions, and every query would return all of them, or, by the watermark, too few, until this server has
     * caught up, which may never happen. A reader that reads everything again needs no record of earlier changes.
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
     * Returns one row. Everything that a statement sees was committed below the end of its own snapshot, or by another
     * server.
     */
    private String hasForeign() {
        return """
                SELECT NOT pg_is_in_recovery()
                       AND (EXISTS (SELECT FROM %1$s WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                            OR EXISTS (SELECT FROM %2$s
                                        WHERE %3$s >= pg_snapshot_xmax(pg_current_snapshot()))) AS has_foreign
                """.formatted(name, watermark, pruned);
    }

    /** May run on several replicas at once. */
    private String forgetForeignNow() {
        return """
                WITH gone AS (DELETE FROM %1$s WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                UPDATE %2$s SET %3$s = '0' WHERE %3$s >= pg_snapshot_xmax(pg_current_snapshot())
                """.formatted(name, watermark, pruned);
    }
}
