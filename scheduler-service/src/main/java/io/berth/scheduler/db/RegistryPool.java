package io.berth.scheduler.db;

import io.berth.database.PoolLimits;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * When connections give up: after a silence longer than {@code statement_timeout} and {@code idle-timeout} in
 * application.properties together, and longer than a transaction waits for placement.
 */
@Singleton
final class RegistryPool implements PgPoolCreator {
    private static final PoolLimits LIMITS =
            new PoolLimits(Duration.ofSeconds(33), Duration.ofSeconds(10), 1_000);

    @Override
    public Pool create(Input input) {
        return LIMITS.create("registry", input);
    }
}
