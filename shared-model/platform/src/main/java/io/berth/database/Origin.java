package io.berth.database;

import io.vertx.mutiny.sqlclient.Row;
import java.time.OffsetDateTime;

/**
 * The server and the tables that a snapshot was read from. A snapshot of another origin proves nothing: it is of
 * another server, of the same one before a restart, or of other tables, as after a restore (which does not close
 * connections).
 *
 * @param tableId id of a table that a restore replaces together with all others
 */
public record Origin(OffsetDateTime serverStarted, long tableId) {
    /** The columns to select from the watermark's table, which must have the alias {@code w}. */
    public static final String COLUMNS = """
            pg_postmaster_start_time() AS server_started, w.tableoid::bigint AS table_id,
                   pg_is_in_recovery() AS in_recovery""";

    /**
     * Creates it from a row with {@link #COLUMNS}.
     *
     * @throws DatabaseUnavailable if the server is a standby: it lags, and its snapshots lack the transactions in
     *         progress
     */
    public static Origin of(Row row) {
        if (row.getBoolean("in_recovery")) {
            throw new DatabaseUnavailable(
                    "is a standby (in recovery), the primary is needed: check BERTH_DATABASE_URL");
        }
        return new Origin(row.getOffsetDateTime("server_started"), row.getLong("table_id"));
    }
}
