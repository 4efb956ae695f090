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
 * The timeouts of a pool's connections, and of callers that wait for a connection. If the network drops packets, the
 * operating system keeps a connection open for about a quarter of an hour. A connection of this pool is closed as soon
 * as nothing has arrived on it for {@code silenceMax}, and its callers fail.
 *
 * @param silenceMax maximum time without data from the server; must exceed the sum of {@code statement_timeout} and
 *         {@code idle-timeout} of the pool, because idle connections count as silent, too
 * @param connectionWaitMax maximum wait for a free connection; fractions of a second are cut
 * @param waitersMax maximum number of callers that wait for a free connection; further callers fail at once
 */
public record PoolLimits(Duration silenceMax, Duration connectionWaitMax, int waitersMax) {
    /** The timeout of the TCP handshake alone. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);

    /**
     * Maximum length of a statement, in characters, whose prepared form is cached. A longer statement is parsed and
     * planned at each execution. The default of Vert.x is 2,048.
     */
    private static final int PREPARED_LENGTH_MAX = 16_384;

    /**
     * Settings of every session, which override the defaults of the database and of its user. PostgreSQL returns
     * results of statements without parameters as texts, whose formats depend on these settings. The isolation level
     * lets a statement see changes that were committed while it waited for a lock.
     */
    private static final Map<String, String> SESSION_SETTINGS = Map.of(
            "client_encoding", "UTF8",
            "DateStyle", "ISO, MDY",
            "IntervalStyle", "postgres",
            "TimeZone", "UTC",
            "bytea_output", "hex",
            "extra_float_digits", "1",
            "standard_conforming_strings", "on",
            "default_transaction_isolation", "read committed");

    private static final String POOL_CLASS = "io.vertx.sqlclient.impl.pool.SqlConnectionPool";

    /**
     * Creates a pool with these limits and {@link #SESSION_SETTINGS}. Size and servers come from Quarkus' options.
     *
     * @param name name of the pool in metrics, see {@link LimitedPoolCreator}
     */
    Pool create(String name, PgPoolCreator.Input input, CurrentPrimary primary) {
        suppressLateTimeouts((VertxInternal) input.vertx());
        input.pgConnectOptionsList().forEach(options -> {
            options.setPreparedStatementCacheSqlLimit(PREPARED_LENGTH_MAX)
                    .setConnectTimeout((int) CONNECT_MAX.toMillis())
                    .setTcpKeepAlive(true);
            SESSION_SETTINGS.forEach(options::addProperty);
        });
        return ClientBuilder.pool(new AdmittingDriver(silenceMax, primary))
                .with(input.poolOptions()
                        .setName(name)
                        .setMaxWaitQueueSize(waitersMax)
                        .setConnectionTimeout((int) connectionWaitMax.toSeconds()))
                .connectingTo(List.<SqlConnectOptions>copyOf(input.pgConnectOptionsList()))
                .using(input.vertx())
                .build();
    }

    /**
     * Suppresses late timeouts. If a wait for a connection fails, Vert.x 4 does not stop the timer of the wait, and
     * fails the completed promise again when the timer fires. Each such failure would log a stack trace during an
     * outage.
     */
    private static void suppressLateTimeouts(VertxInternal vertx) {
        Handler<Throwable> previousHandler = vertx.exceptionHandler();
        vertx.exceptionHandler(failure -> {
            if (!isLateTimeout(failure) && previousHandler != null) {
                previousHandler.handle(failure);
            }
        });
    }

    private static boolean isLateTimeout(Throwable failure) {
        StackTraceElement[] frames = failure.getStackTrace();
        return failure instanceof IllegalStateException
                && frames.length > 1
                && frames[0].getClassName().equals(Promise.class.getName())
                && frames[1].getClassName().equals(POOL_CLASS);
    }
}
