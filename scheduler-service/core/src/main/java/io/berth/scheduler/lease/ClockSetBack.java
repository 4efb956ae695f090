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
 * Shortens leases and due times that lie too far ahead because PostgreSQL's clock was set back, or a standby with
 * another clock took over. Otherwise they would wait for as long as the clock went back. The shortened lease is still
 * longer than any work under it.
 */
@Singleton
public class ClockSetBack {
    private static final Logger LOG = Logger.getLogger(ClockSetBack.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** Farther ahead than any time is ever set. */
    private static final Duration FAR = Duration.ofMinutes(10);
    /** As long as any lease may be. */
    private static final Duration NEAR = Duration.ofMinutes(5);

    /**
     * Params: 1 seconds ahead that are too far, 2 seconds ahead to set instead. Returns one row: how many rows of all
     * tables were changed.
     */
    static final String BRING_NEAR = """
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
        recurring.every(EVERY, this::bringNear, "leases far ahead not looked for");
    }

    Uni<Long> bringNear() {
        return pool.preparedQuery(BRING_NEAR)
                .execute(Tuple.of((double) FAR.toSeconds(), (double) NEAR.toSeconds()))
                .map(rows -> rows.iterator().next().getLong("brought"))
                .invoke(brought -> {
                    if (brought > 0) {
                        LOG.warnf("PostgreSQL's clock was set back: leases brought near=%d", brought);
                    }
                });
    }
}
