package io.berth.placement.ledger;

import io.berth.placement.db.HangingDatabase;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ClaimedNames;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * Holds the claims that wait for a batch, or for another transaction's locks. It also tracks the running batches: they
 * determine which claims may begin concurrently, which batches are stalled and which claims are late. Bounded in claims
 * and in the rows of all held claims; every accepted claim leaves by {@link #answer} or {@link #fail}. Thread-safe: one
 * lock guards its state.
 */
final class ClaimQueue {
    private static final Logger LOG = Logger.getLogger(ClaimQueue.class);
    /** Rows that the claims of one batch may name together; a single larger claim is a batch of its own. */
    static final int BATCH_ROWS_MAX = 4_096;
    private static final int HELD_ROW_BYTES = 250;
    /** The number of claims that the search for runnable ones may skip. */
    private static final int PASSED_MAX = 512;

    private final Ledger.Limits limits;
    private final HangingDatabase database;
    private final LedgerMetrics metrics;
    private final Object lock = new Object();
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private final LockWaits lockWaits = new LockWaits();
    /**
     * The limit of the rows of all held claims, which may take an eighth of the heap. A claim that is the only one may
     * exceed it.
     */
    private final long heldRowsMax = Runtime.getRuntime().maxMemory() / 8 / HELD_ROW_BYTES;
    private final AtomicLong heldRows = new AtomicLong();
    private final Set<WorkerSlot> underWay = new HashSet<>();
    private int idleWorkers;
    private boolean looksAfterLocks;
    private boolean closing;

    ClaimQueue(Ledger.Limits limits, HangingDatabase database, LedgerMetrics metrics) {
        this.limits = limits;
        this.database = database;
        this.metrics = metrics;
        this.idleWorkers = limits.workers();
    }

    /** Returns why no claim is accepted at present, however few wait; null if claims are accepted. */
    @Nullable String obstacle() {
        synchronized (lock) {
            if (closing) {
                return "The service is stopping.";
            }
            return database.hangs() ? "The database does not answer." : null;
        }
    }

    /** Returns whether no batch is under way. */
    boolean isAtRest() {
        synchronized (lock) {
            return underWay.isEmpty();
        }
    }

    /** Returns the number of claims that wait for a batch, or for another transaction's lock. */
    int length() {
        synchronized (lock) {
            return waiting();
        }
    }

    private int waiting() {
        return queue.size() + lockWaits.size();
    }

    /** Adds the claim. Returns why it is not accepted; null if it is. */
    @Nullable String add(Waiter waiter) {
        Claim claim = waiter.claim();
        synchronized (lock) {
            String refusal = obstacle();
            if (refusal == null && waiting() >= limits.queueMax()) {
                refusal = "Too many claims are waiting: " + limits.queueMax() + ".";
            }
            if (refusal == null && lockWaits.size() >= limits.queueMax() / 2 && lockWaits.concern(claim)) {
                refusal = "Too many claims wait for a provider or consumer that is locked.";
            }
            int rows = claim.weight();
            if (refusal == null && heldRows.get() > 0 && heldRows.get() + rows > heldRowsMax) {
                refusal = "Too many amounts are waiting to be claimed.";
            }
            if (refusal == null) {
                heldRows.addAndGet(rows);
                queue.add(waiter);
            }
            return refusal;
        }
    }

    /**
     * Returns a batch of waiting claims; null if it is not time for one. The caller runs it and {@link #end}s its slot.
     */
    @Nullable WorkerSlot next() {
        List<Waiter> batch;
        WorkerSlot slot;
        synchronized (lock) {
            if (!isTimeForABatch()) {
                return null;
            }
            batch = take();
            if (batch.isEmpty()) {
                return null;
            }
            idleWorkers--;
            slot = new WorkerSlot(batch);
            underWay.add(slot);
        }
        metrics.begun(batch.size());
        long now = System.nanoTime();
        batch.forEach(waiter -> metrics.waited(now - waiter.sinceNanos()));
        return slot;
    }

    private boolean isTimeForABatch() {
        if (queue.isEmpty() || idleWorkers == 0) {
            return false;
        }
        return queue.size() >= limits.batchMax()
                || underWay.stream().allMatch(slot -> !slot.isAtWork() || slot.isStalled());
    }

    /**
     * Returns the next batch. Claims that name a locked provider or consumer go to {@link #lockWaits}; claims that name
     * one of a stalled batch stay in the queue. Claims that have waited for a lock run in batches of their own, one
     * batch at a time. So do releases, which gather until the batch of releases before them is committed.
     */
    private List<Waiter> take() {
        Set<UUID> held = namesOfStalled();
        boolean otherWaitedForLock = underWay.stream().anyMatch(WorkerSlot::waitedForLock);
        boolean otherReleases = underWay.stream().anyMatch(slot -> slot.isOfReleases() && !slot.isStalled());
        List<Waiter> batch = new ArrayList<>();
        Deque<Waiter> passed = new ArrayDeque<>();
        int rows = 0;
        while (!queue.isEmpty() && batch.size() < limits.batchMax() && passed.size() < PASSED_MAX) {
            Waiter next = queue.peek();
            if (lockWaits.concern(next.claim())) {
                lockWaits.add(queue.poll());
                continue;
            }
            boolean apart = next.waitedForLock();
            if (apart && otherWaitedForLock
                    || next.isRelease() && otherReleases
                    || !batch.isEmpty() && (apart != batch.getFirst().waitedForLock()
                            || next.isRelease() != batch.getFirst().isRelease())
                    || !held.isEmpty() && ClaimedNames.namesAny(next.claim(), held)) {
                passed.push(queue.poll());
                continue;
            }
            rows += next.claim().weight();
            if (rows > BATCH_ROWS_MAX && !batch.isEmpty()) {
                break;
            }
            batch.add(queue.poll());
        }
        passed.forEach(queue::addFirst);
        return batch;
    }

    private Set<UUID> namesOfStalled() {
        Set<UUID> names = new HashSet<>();
        for (WorkerSlot slot : underWay) {
            if (slot.isStalled()) {
                names.addAll(slot.names());
            }
        }
        return names;
    }

    /** Marks the start, or restart, of the slot's batch. */
    void begin(WorkerSlot slot) {
        synchronized (lock) {
            slot.begin();
        }
    }

    /** Marks that the slot only waits for its commit, so that the next batch may begin. */
    void commit(WorkerSlot slot) {
        synchronized (lock) {
            slot.commit();
        }
    }

    /** Frees the slot, all of whose claims have their results or wait for a lock. */
    void end(WorkerSlot slot) {
        synchronized (lock) {
            slot.commit();
            underWay.remove(slot);
            idleWorkers++;
            lock.notifyAll();
        }
    }

    /** Moves the claims of the slot that name something locked to the lock waiters; returns the others. */
    List<Waiter> setApart(WorkerSlot slot, List<Waiter> waiters, Set<UUID> locked) {
        List<Waiter> left = new ArrayList<>();
        synchronized (lock) {
            lockWaits.learn(locked);
            for (Waiter waiter : waiters) {
                if (lockWaits.concern(waiter.claim())) {
                    slot.dismiss(waiter);
                    lockWaits.add(waiter);
                } else {
                    left.add(waiter);
                }
            }
        }
        return left;
    }

    /**
     * Returns true if claims wait for locks that are not being checked. The caller must then check them and call {@link
     * #release}.
     */
    boolean beginToLookAfterLocks() {
        synchronized (lock) {
            if (looksAfterLocks || lockWaits.isEmpty()) {
                return false;
            }
            looksAfterLocks = true;
            return true;
        }
    }

    /** Returns the providers and consumers whose locks claims wait for. */
    Set<UUID> locked() {
        synchronized (lock) {
            return lockWaits.locked();
        }
    }

    /**
     * Moves claims whose locks are released to the front of the queue.
     *
     * @param asked the providers and consumers whose locks were checked
     * @param stillLocked those that are still locked
     */
    void release(Set<UUID> asked, Set<UUID> stillLocked) {
        List<Waiter> free = new ArrayList<>();
        synchronized (lock) {
            looksAfterLocks = false;
            lockWaits.release(asked, stillLocked, free);
            free.reversed().forEach(queue::addFirst);
        }
    }

    void answer(Waiter waiter, ClaimResult result) {
        if (waiter.isFirstAnswer()) {
            heldRows.addAndGet(-waiter.claim().weight());
            metrics.ended(result);
            // Free the rows before completing: the caller may submit its next claim at once.
            waiter.answer(result);
        }
    }

    void fail(Waiter waiter, Throwable cause) {
        if (waiter.isFirstAnswer()) {
            heldRows.addAndGet(-waiter.claim().weight());
            metrics.failed();
            waiter.fail(cause);
        }
    }

    /**
     * Ends the claims that have waited too long: with "unavailable" if they wait for a slot or a lock (nothing was
     * changed), with an indeterminate outcome if their batch does not end.
     */
    void answerTheLate() {
        long now = System.nanoTime();
        Predicate<Waiter> isLate = waiter -> waiter.isLate(now, limits.waitMax());
        List<Waiter> waiting = new ArrayList<>();
        List<Waiter> lockedOut = new ArrayList<>();
        List<Waiter> running = new ArrayList<>();
        synchronized (lock) {
            queue.removeIf(waiter -> isLate.test(waiter) && waiting.add(waiter));
            lockWaits.drain(isLate, lockedOut);
            for (WorkerSlot slot : underWay) {
                slot.waiters().stream().filter(isLate).forEach(running::add);
            }
        }
        long seconds = limits.waitMax().toSeconds();
        waiting.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable("No slot within " + seconds + " seconds.")));
        lockedOut.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable(
                        "A provider or consumer of the claim was locked for " + seconds + " seconds.")));
        running.forEach(waiter -> answer(
                waiter, new ClaimResult.InDoubt("The database did not answer within " + seconds + " seconds.")));
    }

    /** Stops accepting claims and waits for the accepted ones. Blocks. */
    void drain(Duration drainMax) throws InterruptedException {
        long deadline = System.nanoTime() + drainMax.toNanos();
        synchronized (lock) {
            closing = true;
            while ((idleWorkers < limits.workers() || waiting() > 0) && System.nanoTime() < deadline) {
                lock.wait(100);
            }
            if (waiting() > 0) {
                LOG.warnf("stopped with open claims claims=%d", waiting());
            }
        }
    }
}
