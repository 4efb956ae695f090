package io.berth.placement.fleet;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Keeps the table of changes short. Replicas read it every second, so they have seen every change that is ten minutes
 * old. A replica that was away for longer finds the watermark above its snapshot and reloads the fleet. Every replica
 * may prune: deleting is idempotent and the watermark only rises. Changes that an open transaction may not see yet are
 * kept.
 */
@Singleton
public final class FleetPruning {
    static final Duration KEPT = Duration.ofMinutes(10);

    private final Pool pool;

    FleetPruning(Pool pool) {
        this.pool = pool;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(Duration.ofMinutes(1), () -> prune(KEPT), "fleet changes not pruned");
    }

    Uni<Void> prune(Duration kept) {
        return FleetStore.CHANGES.prune(pool, kept).replaceWithVoid();
    }
}
