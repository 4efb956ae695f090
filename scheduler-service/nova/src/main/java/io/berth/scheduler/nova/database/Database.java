package io.berth.scheduler.nova.database;

import io.berth.model.SqlAlchemyUrl;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.SslMode;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One of nova's databases, with a pool of connections that are opened on demand. A statement fails after
 * {@code timeout}. A connection without traffic for two minutes is closed, so that a server that hangs does not occupy
 * connections.
 *
 * @param timeout time limit of a statement, including the time to wait for a connection or to open one
 */
record Database(SqlAlchemyUrl url, Pool pool, Duration timeout) implements AutoCloseable {
    /** The maximum number of connections of one pool. */
    private static final int CONNECTIONS_MAX = 4;
    /** The maximum number of statements that wait for a connection; further statements fail. */
    private static final int WAITING_MAX = 64;
    /** The maximum idle time and the maximum age of a connection in the pool, in seconds; it is closed afterwards. */
    private static final int CONNECTION_SECONDS_MAX = 60;

    /**
     * Creates the pool for a database. Opens no connection yet.
     *
     * @param use name of the connection pool in metrics, which databases of the same use share
     */
    static Database of(String use, SqlAlchemyUrl url, Vertx vertx, Duration timeout) {
        PoolOptions limits = new PoolOptions()
                .setName(use)
                .setMaxSize(CONNECTIONS_MAX)
                .setMaxWaitQueueSize(WAITING_MAX)
                .setIdleTimeout(CONNECTION_SECONDS_MAX).setIdleTimeoutUnit(TimeUnit.SECONDS)
                // Replaces old connections, because a server that has lost its cluster refuses every statement, but
                // does not close its connections.
                .setMaxLifetime(CONNECTION_SECONDS_MAX).setMaxLifetimeUnit(TimeUnit.SECONDS)
                // The time that a statement waits for a connection. Longer than the time limit of opening a connection,
                // so that the statement fails with the cause for which no connection could be opened.
                .setConnectionTimeout(2 * (int) timeout.toMillis()).setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
        io.vertx.sqlclient.Pool pool = switch (url.kind()) {
            case MYSQL -> MySQLBuilder.pool().with(limits).connectingTo(mysql(url, timeout)).using(vertx).build();
            case POSTGRESQL ->
                PgBuilder.pool().with(limits).connectingTo(postgresql(url, timeout)).using(vertx).build();
        };
        return new Database(url, Pool.newInstance(pool), timeout);
    }

    private static MySQLConnectOptions mysql(SqlAlchemyUrl url, Duration timeout) {
        MySQLConnectOptions options = new MySQLConnectOptions()
                .setHost(url.host()).setPort(url.port()).setDatabase(url.database())
                .setUser(url.user()).setPassword(url.password());
        // A charset that includes nova's utf8mb3, and a collation that all versions of MySQL and MariaDB have.
        options.setCharset("utf8mb4").setCollation("utf8mb4_general_ci");
        options.setConnectTimeout((int) timeout.toMillis());
        options.setIdleTimeout(2 * CONNECTION_SECONDS_MAX).setIdleTimeoutUnit(TimeUnit.SECONDS);
        if (!url.caFile().isEmpty()) {
            options.setSslMode(SslMode.VERIFY_IDENTITY).setHostnameVerificationAlgorithm("HTTPS");
            options.setPemTrustOptions(new PemTrustOptions().addCertPath(url.caFile()));
        }
        return options;
    }

    private static PgConnectOptions postgresql(SqlAlchemyUrl url, Duration timeout) {
        PgConnectOptions options = new PgConnectOptions()
                .setHost(url.host()).setPort(url.port()).setDatabase(url.database())
                .setUser(url.user()).setPassword(url.password());
        options.addProperty("statement_timeout", String.valueOf(timeout.toMillis()));
        options.setConnectTimeout((int) timeout.toMillis());
        options.setIdleTimeout(2 * CONNECTION_SECONDS_MAX).setIdleTimeoutUnit(TimeUnit.SECONDS);
        if (!url.caFile().isEmpty()) {
            options.setSslMode(io.vertx.pgclient.SslMode.VERIFY_FULL).setHostnameVerificationAlgorithm("HTTPS");
            options.setPemTrustOptions(new PemTrustOptions().addCertPath(url.caFile()));
        }
        return options;
    }

    /**
     * Runs one statement. Fails after {@link #timeout}.
     *
     * @param sql a statement that is valid for MySQL and PostgreSQL, with a {@code ?} for each parameter
     */
    Uni<RowSet<Row>> run(String sql, Object... parameters) {
        return pool.preparedQuery(url.kind() == SqlAlchemyUrl.Kind.POSTGRESQL ? numbered(sql) : sql)
                .execute(Tuple.from(List.of(parameters)))
                .ifNoItem().after(timeout).fail();
    }

    /** Returns a list of placeholders, such as {@code (?, ?)}. */
    static String placeholders(int count) {
        return "(" + String.join(", ", Collections.nCopies(count, "?")) + ")";
    }

    /** Quotes a column whose name is reserved, as the server requires. */
    String quoted(String name) {
        return url.kind() == SqlAlchemyUrl.Kind.POSTGRESQL ? '"' + name + '"' : '`' + name + '`';
    }

    /** Replaces each {@code ?} with PostgreSQL's {@code $1}, {@code $2} and so on, even within a literal. */
    static String numbered(String sql) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (int i = 0; i < sql.length(); i++) {
            char character = sql.charAt(i);
            text.append(character == '?' ? "$" + ++number : String.valueOf(character));
        }
        return text.toString();
    }

    @Override
    public void close() {
        pool.close().subscribe().with(closed -> {}, ignored -> {});
    }
}
