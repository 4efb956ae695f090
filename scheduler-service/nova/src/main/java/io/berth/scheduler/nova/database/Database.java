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
 * it.
 *
 * @param timeout time limit of a statement, including the time to open a connection if needed
 */
record Database(SqlAlchemyUrl url, Pool pool, Duration timeout) implements AutoCloseable {
    private static final int CONNECTIONS_MAX = 4;
    /** The maximum statements that wait for a connection; further ones fail. */
    private static final int WAITING_MAX = 64;
    /** The time after which a connection in the pool is closed: both the maximum idle time and the maximum age. */
    private static final int REST_SECONDS = 60;

    /** @param use name of the connection pool in metrics; databases of the same use share it */
    static Database of(String use, SqlAlchemyUrl url, Vertx vertx, Duration timeout) {
        PoolOptions limits = new PoolOptions()
                .setName(use)
                .setMaxSize(CONNECTIONS_MAX)
                .setMaxWaitQueueSize(WAITING_MAX)
                .setIdleTimeout(REST_SECONDS).setIdleTimeoutUnit(TimeUnit.SECONDS)
                // Replaces connections: a server that has lost its cluster refuses every statement, but does not close
                // its connections.
                .setMaxLifetime(REST_SECONDS).setMaxLifetimeUnit(TimeUnit.SECONDS)
                // Longer than the timeout of opening a connection, so that a waiting statement fails with the cause of
                // that.
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
        options.setIdleTimeout(2 * REST_SECONDS).setIdleTimeoutUnit(TimeUnit.SECONDS);
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
        options.setIdleTimeout(2 * REST_SECONDS).setIdleTimeoutUnit(TimeUnit.SECONDS);
        if (!url.caFile().isEmpty()) {
            options.setSslMode(io.vertx.pgclient.SslMode.VERIFY_FULL).setHostnameVerificationAlgorithm("HTTPS");
            options.setPemTrustOptions(new PemTrustOptions().addCertPath(url.caFile()));
        }
        return options;
    }

    /**
     * Runs one statement; fails after {@link #timeout}.
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

    /** Replaces each {@code ?} with PostgreSQL's {@code $1}, {@code $2} and so on. */
    static String numbered(String sql) {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            text.append(c == '?' ? "$" + ++number : String.valueOf(c));
        }
        return text.toString();
    }

    @Override
    public void close() {
        pool.close().subscribe().with(closed -> {}, ignored -> {});
    }
}
