package io.berth.placement.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A worker that runs a batch. Guarded by the lock of {@link ClaimQueue}. */
final class WorkerSlot {
    /**
     * A batch that is at work for longer probably waits for another transaction's lock; other batches need not wait for
     * it.
     */
    private static final Duration STALLED = Duration.ofMillis(50);

    private final List<Waiter> batch;
    /** The claims of the batch that this slot still has to answer. */
    private final List<Waiter> waiters;
    private Set<UUID> names;
    private long begunNanos = System.nanoTime();
    private boolean isAtWork = true;

    WorkerSlot(List<Waiter> batch) {
        this.batch = List.copyOf(batch);
        waiters = new ArrayList<>(batch);
    }

    /** Returns the claims with which the slot began. Any thread may call this. */
    List<Waiter> batch() {
        return batch;
    }

    List<Waiter> waiters() {
        return waiters;
    }

    /** Returns whether its claims are releases; a batch has only releases or none. */
    boolean isOfReleases() {
        return batch.getFirst().isRelease();
    }

    /** Marks the start, or restart, of its batch. */
    void begin() {
        begunNanos = System.nanoTime();
    }

    /** Marks that only the commit is outstanding. */
    void commit() {
        isAtWork = false;
    }

    boolean isAtWork() {
        return isAtWork;
    }

    boolean isStalled() {
        return isAtWork && System.nanoTime() - begunNanos > STALLED.toNanos();
    }

    /** Returns the providers and consumers of its claims. */
    Set<UUID> names() {
        if (names == null) {
            names = Waiter.names(waiters).providersAndConsumers();
        }
        return names;
    }

    void dismiss(Waiter waiter) {
        waiters.remove(waiter);
        names = null;
    }

    boolean waitedForLock() {
        return isAtWork && waiters.stream().anyMatch(Waiter::waitedForLock);
    }
}
