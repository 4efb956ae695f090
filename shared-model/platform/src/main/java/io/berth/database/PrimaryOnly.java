package io.berth.database;

import io.vertx.core.AsyncResult;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Lets no connection to a standby into a pool. What it would answer may be old, and it takes no writes; and a connection
 * that is used goes on when its address leads to another server, as after a failover. A primary that becomes a standby is
 * restarted, which cuts its connections, so that each is asked but once.
 */
final class PrimaryOnly {
    private static final Logger LOG = Logger.getLogger(PrimaryOnly.class);
    private static final AtomicInteger REFUSED = new AtomicInteger();

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
        // The first, the second, the fourth, ...
        if (isStandby && Integer.bitCount(REFUSED.incrementAndGet()) == 1) {
            LOG.errorf("the database is a standby (in recovery), the primary is needed: check BERTH_DATABASE_URL times=%d",
                    REFUSED.get());
        }
        return !isStandby;
    }
}
