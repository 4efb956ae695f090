package io.berth.scheduler.lease;

import io.berth.context.Recurring;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Shortens leases (the times until which one replica owns a record) and due times that lie too far in the future. Such
 * times remain after PostgreSQL's clock was set back, or after a failover to a standby whose clock is behind. If they
 * were left, a record that its owner abandoned would stay unfinished until the clock has caught up. Runs once a minute
 * on every replica. A shortened lease still ends later than any work that needs it.
 */
@Singleton
public class ClockSetBack {
    private static final Logger LOG = Logger.getLogger(ClockSetBack.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** Times farther from now than this are shortened. No statement sets a lease or due time so far ahead. */
    private static final Duration DISTANCE_MAX = Duration.ofMinutes(10);
    /** The distance from now to which such a time is shortened. No lease is longer. */
    private static final Duration SHORTENED_DISTANCE = Duration.ofMinutes(5);

    /**
     * Shortens leases and due times of all tables. Params: 1 greatest distance from now that is left unchanged, in
     * seconds; 2 distance to set instead, in seconds. Returns one row, {@code brought}: the number of changed rows of
     * all tables.
     */
    static final String SHORTEN = """
            WITH clock AS (
                SELECT now() + make_interval(secs => $1) AS far, now() + make_interval(secs => $2) AS near),
            requests AS (
                UPDATE request_leases SET lease_until = near FROM clock WHERE lease_until > far RETURNING 1),
            moving AS (
                UPDATE moves SET lease_until = near FROM clock
                 WHERE state IN ('started', 'reverting') AND lease_until > far RETURNING 1),
            departing AS (UPDATE instance_cleanups SET due_at = near FROM clock WHERE due_at > far RETURNING 1),
            turn AS (UPDATE cleanup_progress SET due_at = near FROM clock WHERE due_at > far RETURNING 1),
            hosts AS (
                UPDATE sync_outbox
                   SET next_at = least(next_at, near),
                       leased_until = CASE WHEN leased_until > far THEN near ELSE leased_until END
                  FROM clock WHERE next_at > far OR leased_until > far RETURNING 1)
            SELECT (SELECT count(*) FROM requests) + (SELECT count(*) FROM moving) + (SELECT count(*) FROM departing)
                   + (SELECT count(*) FROM turn) + (SELECT count(*) FROM hosts) AS brought
            """;

    private final Pool pool;

    ClockSetBack(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(EVERY, this::shortenFarTimes, "leases that end too far in the future not shortened");
    }

    Uni<Long> shortenFarTimes() {
        return pool.preparedQuery(SHORTEN)
                .execute(Tuple.of(
                        (double) DISTANCE_MAX.toSeconds(), (double) SHORTENED_DISTANCE.toSeconds()))
                .map(rows -> rows.iterator().next().getLong("brought"))
                .invoke(shortenedCount -> {
                    if (shortenedCount > 0) {
                        LOG.warnf(
                                "PostgreSQL's clock was set back: leases and due times shortened count=%d",
                                shortenedCount);
                    }
                });
    }
}
