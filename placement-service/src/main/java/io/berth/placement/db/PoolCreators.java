package io.berth.placement.db;

import io.berth.database.CurrentPrimary;
import io.berth.database.LimitedPoolCreator;
import io.berth.database.PoolLimits;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Sets the timeouts of each pool's connections. Statement timeouts and idle timeouts are in application.properties; an
 * idle connection is closed before it reaches the limit of silence given here.
 */
final class PoolCreators {
    private static final Duration TURN_MAX = Duration.ofSeconds(20);

    private PoolCreators() {}

    private static PoolLimits limits(int silenceMaxSeconds, int waitersMax) {
        return new PoolLimits(Duration.ofSeconds(silenceMaxSeconds), TURN_MAX, waitersMax);
    }

    /** The pool of Hibernate, and of all code that has no pool of its own below. */
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

    /** The pool of the fleet. It is used every second, so a short limit of silence detects a hanging database soon. */
    @Singleton
    @ReactiveDataSource("fleet")
    static final class Fleet extends LimitedPoolCreator {
        Fleet(CurrentPrimary primary) {
            super("fleet", limits(9, 100), primary);
        }
    }

    /** The pool of the ledger, for all writes of allocations. */
    @Singleton
    @ReactiveDataSource("ledger")
    static final class Ledger extends LimitedPoolCreator {
        Ledger(CurrentPrimary primary) {
            super("ledger", limits(18, 100), primary);
        }
    }
}
