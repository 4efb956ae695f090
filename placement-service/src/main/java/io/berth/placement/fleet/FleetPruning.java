package io.berth.placement.fleet;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Keeps the table of changes short. A replica asks every second, so what is ten minutes old has been seen; one that
 * was away for longer finds the watermark above its snapshot and reloads. Every replica may prune: deleting is
 * idempotent and the watermark only rises. While a transaction stays open somewhere, what came after it is kept.
 */
@Singleton
public final class FleetPruning {
    private static final Logger LOG = Logger.getLogger(FleetPruning.class);
    static final Duration KEPT = Duration.ofMinutes(10);

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
        return FleetStore.CHANGES.prune(pool, kept).replaceWithVoid();
    }
}
