package io.berth.database;

import io.berth.observability.CountingLogThrottle;
import io.quarkus.runtime.Quarkus;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import jakarta.annotation.Nullable;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Decides whether a new connection may enter its pool. The connection must lead to a primary that is not older than the
 * one to which the process's other connections lead ({@link CurrentPrimary}). The session must also have the {@code
 * search_path} and the {@code statement_timeout} that the client sent as start-up parameters, which a connection pooler
 * such as PgBouncer may drop.
 *
 * <p>Each connection is checked once, when it is opened. One check suffices, because a primary becomes a standby only
 * by a restart, which closes its connections.
 *
 * @param settings the start-up parameters that the client sent
 */
record ConnectionAdmission(CurrentPrimary primary, Map<String, String> settings) {
    private static final Logger LOG = Logger.getLogger(ConnectionAdmission.class);
    private static final CountingLogThrottle REFUSAL_LOG = new CountingLogThrottle();
    private static final String SEARCH_PATH = "search_path";
    private static final String STATEMENT_TIMEOUT = "statement_timeout";

    /**
     * Reads the session's settings. Format argument: the requested statement_timeout, as an interval. Columns: whether
     * the server is a standby; the server's start time in epoch seconds, as text, because a text does not depend on the
     * session's DateStyle; search_path and statement_timeout; whether statement_timeout is as requested.
     */
    private static final String SESSION = """
            SELECT pg_is_in_recovery() AS in_recovery,
                   extract(epoch FROM pg_postmaster_start_time())::text AS started,
                   current_setting('search_path') AS search_path,
                   current_setting('statement_timeout') AS statement_timeout,
                   current_setting('statement_timeout')::interval = '%s'::interval AS is_timeout_kept
            """;
    /**
     * Reads the system identifier and the current timeline. The timeline comes from the name of the current WAL file,
     * because pg_control_checkpoint has the timeline of the last checkpoint, and after a promotion the next checkpoint
     * may take minutes.
     */
    private static final String HISTORY = """
            SELECT (pg_control_system()).system_identifier,
                   ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint AS timeline
            """;

    /**
     * Returns the connection if it is admitted. Otherwise closes the connection and fails; the pool then fails the
     * callers that wait for a connection. The failure is a {@link DatabaseUnavailable} for a refusal; if a query
     * failed, it is the failure of the query.
     */
    Future<SqlConnection> admit(SqlConnection connection) {
        // Without an exception handler, Vert.x logs a stack trace when the connection breaks.
        connection.exceptionHandler(lost -> {});
        Future<Row> session =
                queryRow(connection, SESSION.formatted(toInterval(settings.getOrDefault(STATEMENT_TIMEOUT, "0"))));
        // The query fails on a standby, and on some managed servers, which do not grant these functions to every user.
        // If the query fails, the timeline is unknown.
        Future<Row> history = queryRow(connection, HISTORY)
                .recover(failure -> failure instanceof PgException
                        ? Future.succeededFuture()
                        : Future.failedFuture(failure));
        return Future.join(session, history)
                .compose(both -> {
                    String refusal = refusal(session.result(), history.result(), connection);
                    return refusal == null ? Future.succeededFuture(connection) : refuse(refusal);
                })
                .onFailure(failure -> SilenceLimit.closeSocket(connection));
    }

    private static Future<Row> queryRow(SqlConnection connection, String sql) {
        return connection.query(sql).execute().map(rows -> rows.iterator().next());
    }

    /**
     * Returns the value of a setting as an interval, with quotes escaped. A setting without a unit is in milliseconds;
     * an interval without a unit would be in seconds.
     */
    private static String toInterval(String setting) {
        return (setting.matches("\\d+") ? setting + "ms" : setting).replace("'", "''");
    }

    /**
     * Returns the reason of a refusal, as the end of a message that begins with "the database"; null if the connection
     * is admitted. Also ends the process if the connection lacks a start-up parameter and none has been admitted yet.
     */
    private @Nullable String refusal(Row session, @Nullable Row history, SqlConnection connection) {
        if (session.getBoolean("in_recovery")) {
            return "is a standby (in recovery), the primary is needed: check BERTH_DATABASE_URL";
        }
        String dropped = findDropped(session);
        if (dropped != null) {
            if (primary.isUnknown()) {
                // No connection has been admitted yet, so the configuration is wrong, waiting does not help, and no
                // work is interrupted.
                Quarkus.asyncExit(1);
            }
            return dropped;
        }
        var server = history == null
                ? new CurrentPrimary.Server(0, 0, session.getString("started"))
                : new CurrentPrimary.Server(
                        history.getLong("system_identifier"), history.getLong("timeline"),
                        session.getString("started"));
        return primary.admit(server, SilenceLimit.nettyContext(connection));
    }

    /**
     * Returns the reason of a refusal if the search path or statement timeout that the client sent was dropped;
     * otherwise null.
     */
    private @Nullable String findDropped(Row session) {
        String requestedPath = settings.get(SEARCH_PATH);
        if (requestedPath != null && !requestedPath.equals(session.getString(SEARCH_PATH))) {
            return refusalOfDropped(SEARCH_PATH, session.getString(SEARCH_PATH), requestedPath);
        }
        return settings.containsKey(STATEMENT_TIMEOUT) && !session.getBoolean("is_timeout_kept")
                ? refusalOfDropped(STATEMENT_TIMEOUT, session.getString(STATEMENT_TIMEOUT),
                        settings.get(STATEMENT_TIMEOUT))
                : null;
    }

    /**
     * Returns the reason of a refusal because of a dropped parameter, as the end of a message that begins with "the
     * database".
     */
    static String refusalOfDropped(String parameter, String actual, String requested) {
        return ("does not keep the start-up parameters of connections (%s is '%s', not '%s'): give"
                + " BERTH_DATABASE_URL the address of PostgreSQL itself, not that of a pooler such as PgBouncer")
                .formatted(parameter, actual, requested);
    }

    private static <T> Future<T> refuse(String why) {
        long refusedCount = REFUSAL_LOG.count();
        if (refusedCount > 0) {
            LOG.errorf("the database %s connections=%d", why, refusedCount);
        }
        return Future.failedFuture(new DatabaseUnavailable(why));
    }
}
