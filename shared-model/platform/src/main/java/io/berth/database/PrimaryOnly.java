package io.berth.database;

import io.berth.observability.OncePerSecond;
import io.vertx.core.AsyncResult;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import org.jboss.logging.Logger;

/**
 * Lets no connection to a standby into a pool. What it would answer may be old, and it takes no writes; and a connection
 * that is used goes on when its address leads to another server, as after a failover. A primary that becomes a standby is
 * restarted, which cuts its connections, so that each is asked but once.
 */
final class PrimaryOnly {
    private static final Logger LOG = Logger.getLogger(PrimaryOnly.class);
    private static final OncePerSecond REFUSED = new OncePerSecond();

    private PrimaryOnly() {}

    /** On the connection's event loop, while nobody else has it. */
    static void admit(SqlConnection connection) {
        connection.query("SELECT pg_is_in_recovery()").execute().onComplete(answer -> {
            if (!isPrimary(answer)) {
                // Who waits for it is told that it was closed.
                SilenceLimit.closeSocket(connection);
            } else {
                // Into the pool.
                connection.close();
            }
        });
    }

    private static boolean isPrimary(AsyncResult<RowSet<Row>> answer) {
        if (answer.failed()) {
            return false;
        }
        boolean isStandby = answer.result().iterator().next().getBoolean(0);
        long refused = isStandby ? REFUSED.count() : 0;
        if (refused > 0) {
            LOG.errorf("the database is a standby (in recovery), the primary is needed: check BERTH_DATABASE_URL connections=%d",
                    refused);
        }
        return !isStandby;
    }
}
