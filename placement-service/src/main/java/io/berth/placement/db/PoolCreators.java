package io.berth.placement.db;

import io.berth.database.CurrentPrimary;
import io.berth.database.PoolLimits;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Sets the limits of each connection pool: the time after which a connection without traffic counts as dead, the time
 * to wait for a connection, and the number of requests that may wait. Statement and idle timeouts are in
 * application.properties; their sum must be less than the time given here, so that only a dead connection reaches it.
 */
final class PoolCreators {
    /** The longest wait for a connection. */
    private static final Duration TURN_MAX = Duration.ofSeconds(20);

    private PoolCreators() {}

    /** The pool of Hibernate, and of all code that does not use one of the other pools. */
    @Singleton
    static final class Shared implements PgPoolCreator {
        private static final PoolLimits LIMITS = new PoolLimits(Duration.ofSeconds(33), TURN_MAX, 1_000);

        private final CurrentPrimary primary;

        Shared(CurrentPrimary primary) {
            this.primary = primary;
        }

        @Override
        public Pool create(Input input) {
            return LIMITS.create("catalogue", input, primary);
        }
    }

    /** The pool for reads that the fleet in memory cannot serve. */
    @Singleton
    @ReactiveDataSource("reads")
    static final class Reading implements PgPoolCreator {
        private static final PoolLimits LIMITS = new PoolLimits(Duration.ofSeconds(33), TURN_MAX, 1_000);

        private final CurrentPrimary primary;

        Reading(CurrentPrimary primary) {
            this.primary = primary;
        }

        @Override
        public Pool create(Input input) {
            return LIMITS.create("reads", input, primary);
        }
    }

    /**
     * The pool of {@code FleetFeed}. Its connection is used every second, so a short limit detects a hanging database
     * soon.
     */
    @Singleton
    @ReactiveDataSource("fleet")
    static final class Fleet implements PgPoolCreator {
        private static final PoolLimits LIMITS = new PoolLimits(Duration.ofSeconds(9), TURN_MAX, 100);

        private final CurrentPrimary primary;

        Fleet(CurrentPrimary primary) {
            this.primary = primary;
        }

        @Override
        public Pool create(Input input) {
            return LIMITS.create("fleet", input, primary);
        }
    }

    /** The pool of the ledger's batches. */
    @Singleton
    @ReactiveDataSource("ledger")
    static final class Ledger implements PgPoolCreator {
        private static final PoolLimits LIMITS = new PoolLimits(Duration.ofSeconds(18), TURN_MAX, 100);

        private final CurrentPrimary primary;

        Ledger(CurrentPrimary primary) {
            this.primary = primary;
        }

        @Override
        public Pool create(Input input) {
            return LIMITS.create("ledger", input, primary);
        }
    }
}
