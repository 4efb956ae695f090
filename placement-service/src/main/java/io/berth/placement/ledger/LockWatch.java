package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/** Asks whether the locks that claims wait for are gone, and lets those claims into the queue again. */
final class LockWatch {
    /** How often those that wait for somebody's lock are looked after. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Pool pool;
    private final ClaimQueue queue;
    private final Runnable onReleased;

    /** @param onReleased what follows when claims may have come into the queue */
    LockWatch(Vertx vertx, Pool pool, ClaimQueue queue, Runnable onReleased) {
        this.vertx = vertx;
        this.pool = pool;
        this.queue = queue;
        this.onReleased = onReleased;
    }

    /** Some time from now, until nobody waits for a lock. */
    void begin() {
        if (!queue.beginToLookAfterLocks()) {
            return;
        }
        vertx.setTimer(LOOK_AGAIN.toMillis(), _ -> {
            Set<UUID> asked = queue.locked();
            LockStore.find(pool, asked).onComplete(found -> {
                boolean isLocked = found.failed() && SqlFault.LOCKED.isIn(found.cause());
                // Without an answer they try again, and learn what the others learn.
                queue.release(asked, found.succeeded() ? found.result() : isLocked ? asked : Set.of());
                begin();
                onReleased.run();
            });
        });
    }
}
