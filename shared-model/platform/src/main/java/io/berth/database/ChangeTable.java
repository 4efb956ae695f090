package io.berth.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * A table that records changes: one row for each object that a transaction changed, written by the same transaction. A
 * reader that holds a snapshot in memory queries the table for the objects whose changes the snapshot does not show,
 * and reads only these objects again. Writers need not know the readers.
 *
 * <p>A PostgreSQL snapshot does not show two sets of transactions: those with ids from {@code xmax} on, and those that
 * were in progress ({@code xip}). The queries look up both sets in the index on {@code xid}. The queries do not scan
 * the range from {@code xmin}, which may have millions of rows: one transaction that stays open, in any database of the
 * cluster, holds back {@code xmin} of all snapshots.
 *
 * @param name name of the table, which has the indexed columns {@code xid} (xid8, the id of the top-level transaction)
 *         and {@code at} (timestamptz, the time of the change)
 * @param object the columns of the table that identify the changed object, separated by commas
 * @param watermark name of a table with one row, which has the column {@code pruned}
 * @param pruned name of an xid8 column of the watermark's table: changes of transactions up to this id may have been
 *         removed
 */
public record ChangeTable(String name, String object, String watermark, String pruned) {
    private static final Logger LOG = Logger.getLogger(ChangeTable.class);
    /** Maximum number of rows that one statement removes. */
    private static final int SLICE_ROWS = 10_000;

    /**
     * Returns a query of the objects whose latest changes a snapshot does not show. Params: 1 a snapshot (text).
     * Columns: {@code object}. An object that occurs in both selects has two rows. There are two selects because
     * PostgreSQL may read the whole index for one select with OR.
     */
    public String changesSinceSql() {
        return """
                (SELECT DISTINCT %2$s FROM %1$s WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot))
                 UNION ALL
                (SELECT DISTINCT %2$s FROM %1$s WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot))))
                """.formatted(name, object);
    }

    /**
     * Returns a boolean SQL expression: whether the table has a change that a snapshot does not show. Params: 1 a
     * snapshot (text).
     */
    public String hasChangesSinceSql() {
        return """
                (EXISTS (SELECT FROM %1$s WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot))
                 OR EXISTS (SELECT FROM %1$s
                             WHERE xid = ANY(ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))))
                """.formatted(name);
    }

    /**
     * Returns a boolean SQL expression that is true only if the table still has all changes that a snapshot does not
     * show. Params: 1 a snapshot (text). The watermark's table must have the alias {@code w}.
     */
    public String hasAllChangesSinceSql() {
        return "(w.%s < pg_snapshot_xmin($1::text::pg_snapshot))".formatted(pruned);
    }

    /**
     * Removes old changes, in slices of {@value #SLICE_ROWS} rows. A change is old if its transaction id is at most
     * that of the newest change that is older than {@code keepTime}. Removes only changes that every running
     * transaction sees, so that the watermark never passes a snapshot that is taken from now on. Several replicas may
     * call this concurrently.
     *
     * @return number of removed changes
     */
    public Uni<Long> prune(Pool pool, Duration keepTime) {
        return Uni.createFrom()
                .deferred(() -> pool.preparedQuery(pruneSql()).execute(Tuple.of(keepTime.toMillis() / 1e3)))
                .map(rows -> rows.iterator().next().getLong("removed"))
                .repeat().whilst(removed -> removed == SLICE_ROWS)
                .collect().with(Collectors.summingLong(removed -> removed));
    }

    /**
     * Returns the statement that removes a slice and raises the watermark. Params: 1 age in seconds up to which changes
     * are kept. Columns: {@code removed}, the number of removed rows. The index on {@code at} finds the newest change
     * to remove; the index on {@code xid} finds the other changes. The scan starts at the watermark, because index
     * entries of removed rows remain until no transaction can see them.
     */
    private String pruneSql() {
        return """
                WITH deleted AS (
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
                last AS (SELECT max(xid) AS newest, count(*) AS removed FROM deleted),
                raised AS (
                     UPDATE %2$s w SET %3$s = greatest(w.%3$s, last.newest) FROM last WHERE last.newest IS NOT NULL)
                SELECT removed FROM last
                """.formatted(name, watermark, pruned, SLICE_ROWS);
    }

    /**
     * Removes changes that another server recorded before its data was restored on this server, if this server has not
     * yet assigned their transaction ids. Readers call it before they read all data again, and need no earlier changes
     * then.
     *
     * <p>The recorded transaction ids come from the other server. If this server's ids are lower, the recorded ids look
     * like future transactions. {@link #changesSinceSql} would return the changes on every call, and a watermark of the
     * other server would keep {@link #hasAllChangesSinceSql} false, until this server reaches those ids.
     *
     * @return whether the table or the watermark had such ids; false on a standby, which cannot remove them
     */
    public Uni<Boolean> removeForeignChanges(Pool pool) {
        return pool.query(hasForeignSql()).execute()
                .map(rows -> rows.iterator().next().getBoolean("has_foreign"))
                .call(hasForeign -> hasForeign
                        ? pool.query(forgetForeignSql()).execute().invoke(() -> LOG.infof(
                                "this database was restored from another server: %s is reset", name))
                        : Uni.createFrom().voidItem());
    }

    /**
     * Returns a query of one row with the column {@code has_foreign}. A row that a statement sees was written by a
     * transaction below {@code xmax} of the statement's snapshot, unless another server wrote it.
     */
    private String hasForeignSql() {
        return """
                SELECT NOT pg_is_in_recovery()
                       AND (EXISTS (SELECT FROM %1$s WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                            OR EXISTS (SELECT FROM %2$s
                                        WHERE %3$s >= pg_snapshot_xmax(pg_current_snapshot()))) AS has_foreign
                """.formatted(name, watermark, pruned);
    }

    /**
     * Returns the statement that removes the changes of another server and resets the watermark. Several replicas may
     * run it concurrently.
     */
    private String forgetForeignSql() {
        return """
                WITH deleted AS (DELETE FROM %1$s WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                UPDATE %2$s SET %3$s = '0' WHERE %3$s >= pg_snapshot_xmax(pg_current_snapshot())
                """.formatted(name, watermark, pruned);
    }
}
