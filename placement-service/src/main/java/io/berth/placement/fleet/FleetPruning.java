package io.berth.placement.fleet;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Keeps the table of changes short. A replica asks every second, so what is ten minutes old has been seen; one that
 * was away for longer finds the watermark above its snapshot and reloads. Every replica may prune: deleting is
 * idempotent and the watermark only rises.
 */
@Singleton
public final class FleetPruning {
    private static final Logger LOG = Logger.getLogger(FleetPruning.class);
    static final Duration KEPT = Duration.ofMinutes(10);

    /** Params: 1 seconds to keep. Zero rows updated: nothing was old enough. */
    private static final String PRUNE = """
            WITH gone AS (
                 DELETE FROM fleet_changes
                  WHERE at < now() - $1::integer * interval '1 second'
                 RETURNING xid)
            UPDATE fleet_watermark
               SET pruned_before = greatest(pruned_before, last.after)
              FROM (SELECT (max(xid)::text::bigint + 1)::text::xid8 AS after FROM gone) last
             WHERE last.after IS NOT NULL
            """;

    private final Pool pool;

    FleetPruning(Pool pool) {
        this.pool = pool;
    }

    @Scheduled(every = "60s", delayed = "60s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> prune() {
        return prune(KEPT).onFailure().invoke(e -> LOG.warnf("fleet changes not pruned, trying again: %s", e.getMessage()))
                .onFailure().recoverWithNull();
    }

    Uni<Void> prune(Duration kept) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of((int) kept.toSeconds())).replaceWithVoid();
    }
}
