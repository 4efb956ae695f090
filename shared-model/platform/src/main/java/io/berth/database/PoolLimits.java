package io.berth.database;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.impl.VertxInternal;
import io.vertx.sqlclient.ClientBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnectOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The timeouts of a pool's connections, and of callers that wait for one. If the network drops packets, the operating
 * system keeps a connection for a quarter of an hour; connections of such a pool are closed after the server has been
 * silent for {@code silenceMax}, and their callers fail.
 *
 * @param silenceMax must exceed the sum of {@code statement_timeout} and {@code idle-timeout} of the pool, otherwise an
 *         idle connection counts as silent
 * @param turnMax longest wait for a free connection; whole seconds
 * @param waitersMax number of callers that may wait; further callers fail at once
 */
public record PoolLimits(Duration silenceMax, Duration turnMax, int waitersMax) {
    /** The timeout of the TCP handshake alone. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);

    /**
     * The limit of a statement's characters up to which it is prepared. Longer ones are parsed and planned every time;
     * Vert.x' own limit is 2,048.
     */
    private static final int PREPARED_LENGTH_MAX = 16_384;

    /**
     * Settings of every session, whatever the defaults of the database and of its user are. Results of statements
     * without parameters are texts in these forms; and a statement must see what was committed while it waited for a
     * lock.
     */
    private static final Map<String, String> SESSION = Map.of(
            "client_encoding", "UTF8",
            "DateStyle", "ISO, MDY",
            "IntervalStyle", "postgres",
            "TimeZone", "UTC",
            "bytea_output", "hex",
            "extra_float_digits", "1",
            "standard_conforming_strings", "on",
            "default_transaction_isolation", "read committed");

    private static final String POOL = "io.vertx.sqlclient.impl.pool.SqlConnectionPool";

    /**
     * Creates a pool with the size and the servers of Quarkus' options.
     *
     * @param name as for {@link LimitedPoolCreator}
     */
    Pool create(String name, PgPoolCreator.Input input, CurrentPrimary primary) {
        leaveOutLateTimeouts((VertxInternal) input.vertx());
        input.pgConnectOptionsList().forEach(options -> {
            options.setPreparedStatementCacheSqlLimit(PREPARED_LENGTH_MAX)
                    .setConnectTimeout((int) CONNECT_MAX.toMillis())
                    .setTcpKeepAlive(true);
            SESSION.forEach(options::addProperty);
        });
        return ClientBuilder.pool(new AdmittingDriver(silenceMax, primary))
                .with(input.poolOptions()
                        .setName(name)
                        .setMaxWaitQueueSize(waitersMax)
                        .setConnectionTimeout((int) turnMax.toSeconds()))
                .connectingTo(List.<SqlConnectOptions>copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .build();
    }

    /**
     * Suppresses late timeouts: Vert.x 4 does not stop the timer of a wait that has already failed, and fails it again
     * when the timer fires, which logs a stack trace for every statement of an outage.
     */
    private static void leaveOutLateTimeouts(VertxInternal vertx) {
        Handler<Throwable> others = vertx.exceptionHandler();
        vertx.exceptionHandler(failure -> {
            if (!isLateTimeout(failure) && others != null) {
                others.handle(failure);
            }
        });
    }

    private static boolean isLateTimeout(Throwable failure) {
        StackTraceElement[] at = failure.getStackTrace();
        return failure instanceof IllegalStateException
                && at.length > 1
                && at[0].getClassName().equals(Promise.class.getName())
                && at[1].getClassName().equals(POOL);
    }
}
