package io.berth.placement.ledger;

import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * One of the workers of the ledger, while it runs a batch of claims. The batch is at work until it holds all its locks
 * and has sent COMMIT. Not thread-safe, except {@link #batch}: access is synchronized by {@link ClaimQueue}.
 */
final class WorkerSlot {
    /**
     * A batch that is at work for longer than this is stalled: it probably waits for a lock of another transaction, so
     * the next batch may begin beside it.
     */
    private static final Duration STALLED_AFTER = Duration.ofMillis(50);

    private final List<Waiter> batch;
    /** The claims of the batch, without those that now wait for a lock. */
    private final List<Waiter> waiters;
    /** The providers and consumers of {@code waiters}; null if not computed yet. */
    private @Nullable Set<UUID> names;
    /** {@link System#nanoTime} at the start of the latest transaction of the batch. */
    private long begunNanos = System.nanoTime();
    /**
     * True until the batch first holds all its locks and has sent COMMIT, or has ended; false also while its claims run
     * again after that.
     */
    private boolean isAtWork = true;

    WorkerSlot(List<Waiter> batch) {
        this.batch = List.copyOf(batch);
        waiters = new ArrayList<>(batch);
    }

    /** Returns all claims of the batch. Thread-safe. */
    List<Waiter> batch() {
        return batch;
    }

    /** Returns the claims of the batch, without those that now wait for a lock; not a copy. */
    List<Waiter> waiters() {
        return waiters;
    }

    /** Returns whether the claims are releases without a fencing token. A batch has either only such claims or none. */
    boolean isOfPlainReleases() {
        return batch.getFirst().isPlainRelease();
    }

    /** Records the start of a transaction of the batch. */
    void begin() {
        begunNanos = System.nanoTime();
    }

    /** Records that the batch holds all its locks and has sent COMMIT, or has ended. */
    void endWork() {
        isAtWork = false;
    }

    boolean isAtWork() {
        return isAtWork;
    }

    /**
     * Returns whether the batch is at work, and its latest transaction began longer than {@link #STALLED_AFTER} ago.
     */
    boolean isStalled() {
        return isAtWork && System.nanoTime() - begunNanos > STALLED_AFTER.toNanos();
    }

    /** Returns the uuids of the providers and consumers that the claims name. */
    Set<UUID> names() {
        if (names == null) {
            names = Waiter.names(waiters).providersAndConsumers();
        }
        return names;
    }

    /** Removes a claim that now waits for a lock. */
    void removeWaiter(Waiter waiter) {
        waiters.remove(waiter);
        names = null;
    }

    /** Returns whether the batch is at work and has a claim that has waited for a lock. */
    boolean waitedForLock() {
        return isAtWork && waiters.stream().anyMatch(Waiter::waitedForLock);
    }
}
