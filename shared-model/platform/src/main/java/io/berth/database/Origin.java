package io.berth.database;

import io.vertx.mutiny.sqlclient.Row;
import java.time.OffsetDateTime;

/**
 * Identifies the server and the tables from which a snapshot was read. A snapshot can only be compared with a {@link
 * ChangeTable} if both have the same origin. The origin changes if the database moves to another server, if the server
 * restarts, and if a restore replaces the tables (connections stay open in this case).
 *
 * @param serverStarted start time of the server
 * @param tableId oid of the {@link ChangeTable#watermark} table, which a restore replaces together with all other
 *         tables
 */
public record Origin(OffsetDateTime serverStarted, long tableId) {
    /**
     * The columns to select from the {@link ChangeTable#watermark} table, which must have the alias {@code w}:
     * server_started, table_id, in_recovery.
     */
    public static final String COLUMNS = """
            pg_postmaster_start_time() AS server_started, w.tableoid::bigint AS table_id,
                   pg_is_in_recovery() AS in_recovery""";

    /**
     * Creates an origin from a row with {@link #COLUMNS}.
     *
     * @throws DatabaseUnavailable if the server is a standby, because a standby lags and its snapshots lack the
     *         transactions in progress
     */
    public static Origin of(Row row) {
        if (row.getBoolean("in_recovery")) {
            throw new DatabaseUnavailable(
                    "is a standby (in recovery), the primary is needed: check BERTH_DATABASE_URL");
        }
        return new Origin(row.getOffsetDateTime("server_started"), row.getLong("table_id"));
    }
}
