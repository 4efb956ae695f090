package io.berth.scheduler;

import static io.berth.deploy.process.Await.eventually;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.model.DatabaseUrl;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The scheduler's tables in a separate database, for tests that run parts of the service themselves: no running service
 * works on these tables before the test does.
 */
public final class OwnTables implements BeforeAllCallback, AfterAllCallback {
    private static final String SCHEMA = "scheduler";
    private static final int CONNECTIONS = 8;

    private final Vertx vertx = Vertx.vertx();
    private PgConnectOptions options;
    private Pool pool;

    @Override
    public void beforeAll(ExtensionContext context) {
        DatabaseUrl url = DatabaseUrl.parse(PostgresForTests.newDatabase());
        Flyway.configure()
                .dataSource(url.jdbcUrl(SCHEMA), url.user(), url.password())
                .locations("db/scheduler").schemas(SCHEMA).createSchemas(true)
                .load().migrate();
        options = PgConnectOptions.fromUri(url.reactiveUrl(SCHEMA)).setUser(url.user()).setPassword(url.password());
        pool = open(options);
    }

    private Pool open(PgConnectOptions to) {
        return Pool.newInstance(PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(CONNECTIONS)).connectingTo(to).using(vertx).build());
    }

    public Pool pool() {
        return pool;
    }

    /** Simulates a connection that breaks during COMMIT: ends the first session whose commit waits for a standby. */
    public <T> CompletableFuture<T> unheard(Function<Pool, Uni<T>> work) throws InterruptedException {
        Pool own = open(new PgConnectOptions(options).addProperty("synchronous_commit", "on"));
        configure("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
        try {
            var begun = work.apply(own).subscribeAsCompletionStage();
            eventually("a commit waits", () -> pool
                    .query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND wait_event = 'SyncRep'")
                    .executeAndAwait().size() > 0);
            return begun;
        } finally {
            configure("ALTER SYSTEM RESET synchronous_standby_names");
        }
    }

    private static void configure(String sql) {
        PostgresForTests.run(PostgresForTests.url(), sql);
        PostgresForTests.run(PostgresForTests.url(), "SELECT pg_reload_conf()");
    }

    @Override
    public void afterAll(ExtensionContext context) {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
