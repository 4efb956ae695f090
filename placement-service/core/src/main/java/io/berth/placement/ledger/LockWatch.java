package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/**
 * Checks at intervals whether the locks that claims wait for are released, and moves claims whose locks are released
 * back into the queue.
 */
final class LockWatch {
    /** The interval at which the locks of waiting claims are checked. */
    private static final Duration POLL_PAUSE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Pool pool;
    private final ClaimQueue queue;
    private final Runnable onReleased;

    /** @param onReleased called when claims may have moved back into the queue */
    LockWatch(Vertx vertx, Pool pool, ClaimQueue queue, Runnable onReleased) {
        this.vertx = vertx;
        this.pool = pool;
        this.queue = queue;
        this.onReleased = onReleased;
    }

    /**
     * Begins to check the locks, after a delay, and continues until no claim waits for a lock. Does nothing if no claim
     * waits for a lock, or if the checks are running already.
     */
    void begin() {
        if (!queue.beginLockCheck()) {
            return;
        }
        vertx.setTimer(POLL_PAUSE.toMillis(), _ -> {
            Set<UUID> checked = queue.locked();
            LockQuery.find(pool, checked).onComplete(found -> {
                boolean isLocked = found.failed() && SqlFault.LOCKED.isKindOf(found.cause());
                // If the query fails because of a lock (of a whole table, because it skips locked rows), all rows count
                // as still locked. If it fails for another reason, all waiting claims run again; the claims whose rows
                // are still locked then wait again.
                queue.requeueUnlocked(checked, found.succeeded() ? found.result() : isLocked ? checked : Set.of());
                begin();
                onReleased.run();
            });
        });
    }
}
