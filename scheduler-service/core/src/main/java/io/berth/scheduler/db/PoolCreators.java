package io.berth.scheduler.db;

import io.berth.database.CurrentPrimary;
import io.berth.database.LimitedPoolCreator;
import io.berth.database.PoolLimits;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Creates the pools with limits on their connections: a connection gives up after a silence longer than
 * {@code statement_timeout} and {@code idle-timeout} in application.properties together, and longer than a
 * transaction waits for placement.
 */
final class PoolCreators {
    private static final PoolLimits LIMITS =
            new PoolLimits(Duration.ofSeconds(33), Duration.ofSeconds(10), 1_000);

    private PoolCreators() {}

    /** The pool of Hibernate and of everything that does not use the pool for decisions. */
    @Singleton
    static final class Shared extends LimitedPoolCreator {
        Shared(CurrentPrimary primary) {
            super("registry", LIMITS, primary);
        }
    }

    /**
     * The pool for statements that decisions wait for, and for heartbeats: edits that wait for a locked record cannot
     * take its connections.
     */
    @Singleton
    @ReactiveDataSource("decisions")
    static final class Deciding extends LimitedPoolCreator {
        Deciding(CurrentPrimary primary) {
            super("decisions", LIMITS, primary);
        }
    }
}
