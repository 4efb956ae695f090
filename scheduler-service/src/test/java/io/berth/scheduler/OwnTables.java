package io.berth.scheduler;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.model.DatabaseUrl;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The scheduler's tables in a database of their own, for tests of what a service would do by itself: none is there that
 * does it first.
 */
public final class OwnTables implements BeforeAllCallback, AfterAllCallback {
    private static final String SCHEMA = "scheduler";
    private static final int CONNECTIONS = 8;

    private final Vertx vertx = Vertx.vertx();
    private Pool pool;

    @Override
    public void beforeAll(ExtensionContext context) {
        DatabaseUrl url = DatabaseUrl.parse(PostgresForTests.newDatabase());
        Flyway.configure()
                .dataSource(url.jdbcUrl(SCHEMA), url.user(), url.password())
                .locations("db/scheduler").schemas(SCHEMA).createSchemas(true)
                .load().migrate();
        var options = PgConnectOptions.fromUri(url.reactiveUrl(SCHEMA)).setUser(url.user()).setPassword(url.password());
        pool = Pool.newInstance(PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(CONNECTIONS)).connectingTo(options).using(vertx).build());
    }

    public Pool pool() {
        return pool;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
