package io.berth.scheduler.db;

import io.berth.database.CurrentPrimary;
import io.berth.database.LimitedPoolCreator;
import io.berth.database.PoolLimits;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Creates the two connection pools. A connection fails after 33 s without data from PostgreSQL. This limit is longer
 * than {@code statement_timeout} plus {@code idle-timeout} in application.properties, and longer than a transaction
 * waits for a response of placement. It therefore ends only connections whose server is unreachable. At most 1,000
 * callers of a pool wait for a connection, each for at most 10 s; further callers fail at once.
 */
final class PoolCreators {
    private static final PoolLimits LIMITS =
            new PoolLimits(Duration.ofSeconds(33), Duration.ofSeconds(10), 1_000);

    private PoolCreators() {}

    /** The default pool, {@code registry}: for Hibernate, and for all statements that no decision waits for. */
    @Singleton
    static final class Shared extends LimitedPoolCreator {
        Shared(CurrentPrimary primary) {
            super("registry", LIMITS, primary);
        }
    }

    /**
     * The pool {@code decisions}: for statements that decisions wait for, and for heartbeats. Edits of the registry may
     * wait for locked rows, and cannot exhaust the connections of this pool.
     */
    @Singleton
    @ReactiveDataSource("decisions")
    static final class Deciding extends LimitedPoolCreator {
        Deciding(CurrentPrimary primary) {
            super("decisions", LIMITS, primary);
        }
    }
}
