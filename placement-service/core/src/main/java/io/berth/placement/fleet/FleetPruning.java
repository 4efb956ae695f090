package io.berth.placement.fleet;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Deletes old rows of {@code fleet_changes}, every minute. Replicas read that table every second, so they have applied
 * every change that is ten minutes old. A replica that was disconnected for longer finds that the watermark, below
 * which changes were deleted, is above its snapshot, and reloads the fleet. All replicas prune: deletion is idempotent,
 * and the watermark only rises. A change that an open transaction may not see yet is not deleted.
 */
@Singleton
public final class FleetPruning {
    /** The age up to which changes are kept. */
    static final Duration KEEP_TIME = Duration.ofMinutes(10);

    private final Pool pool;

    FleetPruning(Pool pool) {
        this.pool = pool;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(Duration.ofMinutes(1), () -> prune(KEEP_TIME), "fleet changes not pruned");
    }

    Uni<Void> prune(Duration kept) {
        return FleetStore.CHANGES.prune(pool, kept).replaceWithVoid();
    }
}
