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
 * When the connections of a pool, and those who wait for one, give up. When the network swallows packets, the operating
 * system goes on for a quarter of an hour; connections of such a pool are closed once the server has been silent for
 * too long, and whoever waits for them is told.
 *
 * @param silenceMax above {@code statement_timeout} and {@code idle-timeout} of the pool together, or rest is taken for
 *        silence
 * @param turnMax wait for a free connection; whole seconds
 * @param waitersMax who may wait for one; beyond it callers fail at once
 */
public record PoolLimits(Duration silenceMax, Duration turnMax, int waitersMax) {
    /** For TCP's handshake alone. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);

    /** Characters of a statement. Longer ones would be parsed and planned every time; Vert.x stops at 2,048 by itself. */
    private static final int PREPARED_LENGTH_MAX = 16_384;

    /**
     * What every session has, whatever the defaults of the database and of its user are: what statements without parameters
     * read as text is in this form, and statements read what was committed while they waited for a lock.
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
     * A pool of as many connections, to the same servers, as Quarkus' options say.
     *
     * @param name by which it is measured ({@link PoolMeters}); no other pool of the service has it
     * @param primary the same for all pools of the service
     */
    public Pool create(String name, PgPoolCreator.Input input, CurrentPrimary primary) {
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
     * Vert.x 4 does not stop the clock of a wait that has failed by itself, and when the time is over fails it again:
     * an exception with its stack in the log for every statement of an outage, of which everything was told before.
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
