package io.berth.placement.db;

import io.berth.database.CurrentPrimary;
import io.berth.database.LimitedPoolCreator;
import io.berth.database.PoolLimits;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Sets the limits of each connection pool: the time after which a connection without traffic counts as dead ({@code
 * silenceMaxSeconds}), the time to wait for a connection, and the number of requests that may wait ({@code
 * waitersMax}). For each pool, the sum of {@code statement_timeout} and {@code idle-timeout} in application.properties
 * must be less than {@code silenceMaxSeconds}, so that only dead connections are closed.
 */
final class PoolCreators {
    /** The longest wait for a connection. */
    private static final Duration CONNECTION_WAIT_MAX = Duration.ofSeconds(20);

    private PoolCreators() {}

    private static PoolLimits limits(int silenceMaxSeconds, int waitersMax) {
        return new PoolLimits(Duration.ofSeconds(silenceMaxSeconds), CONNECTION_WAIT_MAX, waitersMax);
    }

    /**
     * The pool of Hibernate, and of all code that does not use one of the other pools. Its name in metrics is {@code
     * catalogue}.
     */
    @Singleton
    static final class Shared extends LimitedPoolCreator {
        Shared(CurrentPrimary primary) {
            super("catalogue", limits(33, 1_000), primary);
        }
    }

    /** The pool for reads that the fleet in memory cannot serve. */
    @Singleton
    @ReactiveDataSource("reads")
    static final class Reading extends LimitedPoolCreator {
        Reading(CurrentPrimary primary) {
            super("reads", limits(33, 1_000), primary);
        }
    }

    /**
     * The pool of {@code FleetFeed}. The feed uses its connection every second, so this pool can have a short limit,
     * with which it detects a hanging database soon.
     */
    @Singleton
    @ReactiveDataSource("fleet")
    static final class Fleet extends LimitedPoolCreator {
        Fleet(CurrentPrimary primary) {
            super("fleet", limits(9, 100), primary);
        }
    }

    /** The pool of the ledger's batches. */
    @Singleton
    @ReactiveDataSource("ledger")
    static final class Ledger extends LimitedPoolCreator {
        Ledger(CurrentPrimary primary) {
            super("ledger", limits(18, 100), primary);
        }
    }
}
