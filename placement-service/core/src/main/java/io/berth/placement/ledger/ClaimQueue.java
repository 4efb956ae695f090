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
 * The queue of claims (requests to change allocations) that wait for a batch, or for a lock that another transaction
 * holds. Also tracks the running batches, to decide when the next batch may begin and which claims it may contain, and
 * to complete claims that have waited too long. A running batch is stalled if it still lacks a lock, or has not sent
 * COMMIT, so long after its transaction began that it probably waits for another transaction ({@link
 * WorkerSlot#isStalled}). The queue limits the number of waiting claims, and the rows ({@link Claim#weight}) of all
 * accepted claims; {@link #add} refuses further claims. Every accepted claim ends by {@link #answer} or {@link #fail}.
 * Thread-safe.
 */
final class ClaimQueue {
    private static final Logger LOG = Logger.getLogger(ClaimQueue.class);
    /**
     * The most rows ({@link Claim#weight}) of all claims of a batch together; a single larger claim is a batch of its
     * own.
     */
    static final int BATCH_ROWS_MAX = 4_096;
    /** The approximate bytes of memory of a row of a claim. */
    private static final int ROW_BYTES = 250;
    /**
     * The most claims that {@link #takeBatch} skips because they cannot run now; then it ends the batch, because other
     * threads wait for {@link #lock}.
     */
    private static final int SKIPPED_MAX = 512;

    private final Ledger.Limits limits;
    private final HangingDatabase database;
    private final LedgerMetrics metrics;
    private final Object lock = new Object();
    /** The claims that wait for a batch, in the order in which they run. */
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private final LockWaits lockWaits = new LockWaits();
    /**
     * The most rows of all accepted claims without a result; these rows may take an eighth of the heap. A claim that is
     * the only one may exceed the limit.
     */
    private final long heldRowsMax = Runtime.getRuntime().maxMemory() / 8 / ROW_BYTES;
    /** The rows of all accepted claims without a result. */
    private final AtomicLong heldRows = new AtomicLong();
    /** The running batches, including those that wait for the response to COMMIT. */
    private final Set<WorkerSlot> runningSlots = new HashSet<>();
    private int idleWorkers;
    /** True while {@link LockWatch} checks the locks of {@code lockWaits}. */
    private boolean isCheckingLocks;
    /** True once the service is stopping; no claim is accepted then. */
    private boolean isStopping;

    ClaimQueue(Ledger.Limits limits, HangingDatabase database, LedgerMetrics metrics) {
        this.limits = limits;
        this.database = database;
        this.metrics = metrics;
        this.idleWorkers = limits.workers();
    }

    /**
     * Returns the reason for which no claim is accepted at present, independent of the queue's length; null if there is
     * none.
     */
    @Nullable String refusalReason() {
        synchronized (lock) {
            if (isStopping) {
                return "The service is stopping.";
            }
            return database.hangs() ? "The database does not answer." : null;
        }
    }

    /** Returns whether no batch is running. */
    boolean isAtRest() {
        synchronized (lock) {
            return runningSlots.isEmpty();
        }
    }

    /** Returns the number of claims that wait for a batch or for a lock. */
    int length() {
        synchronized (lock) {
            return waitingCount();
        }
    }

    private int waitingCount() {
        return queue.size() + lockWaits.size();
    }

    /**
     * Adds a claim, unless {@link #refusalReason} has a reason, the queue is full, the claim would exceed {@link
     * #heldRowsMax}, or it names a locked row and the claims that wait for locks already fill half of the queue (the
     * other half is for other claims). Returns the reason for which the claim is refused; null if it is accepted.
     */
    @Nullable String add(Waiter waiter) {
        Claim claim = waiter.claim();
        synchronized (lock) {
            String refusal = refusalReason();
            if (refusal == null && waitingCount() >= limits.queueMax()) {
                refusal = "Too many claims are waiting: " + limits.queueMax() + ".";
            }
            if (refusal == null && lockWaits.size() >= limits.queueMax() / 2 && lockWaits.namesLocked(claim)) {
                refusal = "Too many claims wait for a locked provider or consumer.";
            }
            int rows = claim.weight();
            if (refusal == null && heldRows.get() > 0 && heldRows.get() + rows > heldRowsMax) {
                refusal = "The waiting claims have too many allocations in total.";
            }
            if (refusal == null) {
                heldRows.addAndGet(rows);
                queue.add(waiter);
            }
            return refusal;
        }
    }

    /**
     * Takes a batch of waiting claims from the queue; null if no batch should begin now, or if none of the waiting
     * claims can run now. The caller runs the batch, and then calls {@link #end}.
     */
    @Nullable WorkerSlot next() {
        List<Waiter> batch;
        WorkerSlot slot;
        synchronized (lock) {
            if (!shouldBeginBatch()) {
                return null;
            }
            batch = takeBatch();
            if (batch.isEmpty()) {
                return null;
            }
            idleWorkers--;
            slot = new WorkerSlot(batch);
            runningSlots.add(slot);
        }
        metrics.begun(batch.size());
        long now = System.nanoTime();
        batch.forEach(waiter -> metrics.waited(now - waiter.sinceNanos()));
        return slot;
    }

    /**
     * Returns whether a batch should begin: claims wait, a worker is idle, and either the claims are enough for a full
     * batch, or each running batch has sent its COMMIT or is stalled.
     */
    private boolean shouldBeginBatch() {
        if (queue.isEmpty() || idleWorkers == 0) {
            return false;
        }
        return queue.size() >= limits.batchMax()
                || runningSlots.stream().allMatch(slot -> !slot.isAtWork() || slot.isStalled());
    }

    /**
     * Takes the next batch from the queue; empty if no waiting claim can run now. Claims that name a locked provider or
     * consumer move to {@link #lockWaits}. Claims that name a provider or consumer of a stalled batch stay in the
     * queue, because that batch keeps the locks of its rows.
     *
     * <p>Claims that have waited for a lock run in separate batches, because they may meet the next lock, too. The next
     * such batch begins when the previous one has sent its COMMIT. Releases without a fencing token also run in
     * separate batches, because a batch of only such releases takes a single round trip ({@link Batch}). The next such
     * batch begins when the previous one has ended or is stalled, so that releases are collected meanwhile.
     */
    private List<Waiter> takeBatch() {
        Set<UUID> stalledNames = namesOfStalled();
        boolean otherWaitedForLock = runningSlots.stream().anyMatch(WorkerSlot::waitedForLock);
        boolean otherReleases = runningSlots.stream().anyMatch(slot -> slot.isOfPlainReleases() && !slot.isStalled());
        List<Waiter> batch = new ArrayList<>();
        Deque<Waiter> skipped = new ArrayDeque<>();
        int rows = 0;
        while (!queue.isEmpty() && batch.size() < limits.batchMax() && skipped.size() < SKIPPED_MAX) {
            Waiter next = queue.peek();
            if (lockWaits.namesLocked(next.claim())) {
                lockWaits.add(queue.poll());
                continue;
            }
            boolean waitedForLock = next.waitedForLock();
            if (waitedForLock && otherWaitedForLock
                    || next.isPlainRelease() && otherReleases
                    || !batch.isEmpty() && (waitedForLock != batch.getFirst().waitedForLock()
                            || next.isPlainRelease() != batch.getFirst().isPlainRelease())
                    || !stalledNames.isEmpty() && ClaimedNames.namesAny(next.claim(), stalledNames)) {
                skipped.push(queue.poll());
                continue;
            }
            rows += next.claim().weight();
            if (rows > BATCH_ROWS_MAX && !batch.isEmpty()) {
                break;
            }
            batch.add(queue.poll());
        }
        skipped.forEach(queue::addFirst);
        return batch;
    }

    private Set<UUID> namesOfStalled() {
        Set<UUID> names = new HashSet<>();
        for (WorkerSlot slot : runningSlots) {
            if (slot.isStalled()) {
                names.addAll(slot.names());
            }
        }
        return names;
    }

    /** Records the start of a transaction of the batch. */
    void begin(WorkerSlot slot) {
        synchronized (lock) {
            slot.begin();
        }
    }

    /** Records that a batch holds all its locks and has sent COMMIT, so that the next batch may begin. */
    void recordCommitSent(WorkerSlot slot) {
        synchronized (lock) {
            slot.endWork();
        }
    }

    /** Ends a batch: each of its claims has a result or waits for a lock. Its worker is idle again. */
    void end(WorkerSlot slot) {
        synchronized (lock) {
            slot.endWork();
            runningSlots.remove(slot);
            idleWorkers++;
            lock.notifyAll();
        }
    }

    /**
     * Adds {@code locked} to the providers and consumers that count as locked, and moves the claims that name one of
     * these from the batch to {@link #lockWaits}. Returns the remaining claims.
     *
     * @param waiters the claims of the batch's last transaction
     * @param locked uuids of the providers and consumers that were found to be locked
     */
    List<Waiter> moveToLockWaits(WorkerSlot slot, List<Waiter> waiters, Set<UUID> locked) {
        List<Waiter> remaining = new ArrayList<>();
        synchronized (lock) {
            lockWaits.addLocked(locked);
            for (Waiter waiter : waiters) {
                if (lockWaits.namesLocked(waiter.claim())) {
                    slot.removeWaiter(waiter);
                    lockWaits.add(waiter);
                } else {
                    remaining.add(waiter);
                }
            }
        }
        return remaining;
    }

    /**
     * Returns true if claims wait for locks and no check of the locks is running. The caller must then check the locks
     * and call {@link #requeueUnlocked}.
     */
    boolean beginLockCheck() {
        synchronized (lock) {
            if (isCheckingLocks || lockWaits.isEmpty()) {
                return false;
            }
            isCheckingLocks = true;
            return true;
        }
    }

    /** Returns the uuids of the providers and consumers whose locks claims wait for. */
    Set<UUID> locked() {
        synchronized (lock) {
            return lockWaits.locked();
        }
    }

    /**
     * Moves the claims whose locks have been released to the front of the queue.
     *
     * @param checked uuids of the providers and consumers whose locks were checked
     * @param stillLocked uuids of those that are still locked
     */
    void requeueUnlocked(Set<UUID> checked, Set<UUID> stillLocked) {
        List<Waiter> unlocked = new ArrayList<>();
        synchronized (lock) {
            isCheckingLocks = false;
            lockWaits.removeUnlocked(checked, stillLocked, unlocked);
            unlocked.reversed().forEach(queue::addFirst);
        }
    }

    /** Completes a claim with its result, unless it has one already. */
    void answer(Waiter waiter, ClaimResult result) {
        if (waiter.markAnswered()) {
            heldRows.addAndGet(-waiter.claim().weight());
            metrics.countResult(result);
            // The rows are subtracted before the claim completes, because its client may submit the next claim at once.
            waiter.answer(result);
        }
    }

    /** Completes a claim with a failure, unless it has a result already. */
    void fail(Waiter waiter, Throwable cause) {
        if (waiter.markAnswered()) {
            heldRows.addAndGet(-waiter.claim().weight());
            metrics.countFailure();
            waiter.fail(cause);
        }
    }

    /**
     * Completes the claims that were submitted longer than {@link Ledger.Limits#waitMax} ago: as unavailable if they
     * wait for a batch or a lock, because nothing was written for them; with an indeterminate outcome if their batch is
     * running.
     */
    void completeLate() {
        long now = System.nanoTime();
        Predicate<Waiter> isLate = waiter -> waiter.isLate(now, limits.waitMax());
        List<Waiter> queued = new ArrayList<>();
        List<Waiter> lockedOut = new ArrayList<>();
        List<Waiter> running = new ArrayList<>();
        synchronized (lock) {
            queue.removeIf(waiter -> isLate.test(waiter) && queued.add(waiter));
            lockWaits.moveMatching(isLate, lockedOut);
            for (WorkerSlot slot : runningSlots) {
                slot.waiters().stream().filter(isLate).forEach(running::add);
            }
        }
        long seconds = limits.waitMax().toSeconds();
        queued.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable(
                        "The claim waited " + seconds + " seconds for a transaction; nothing was written.")));
        lockedOut.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable(
                        "A provider or consumer of the claim was locked for " + seconds + " seconds.")));
        running.forEach(waiter -> answer(
                waiter, new ClaimResult.Indeterminate(
                        "The database did not respond within " + seconds
                                + " seconds, so the claim may be committed or not.")));
    }

    /**
     * Stops accepting claims, and blocks until all accepted claims have results.
     *
     * @param drainMax the longest wait; after it, the number of claims that still wait is logged
     */
    void drain(Duration drainMax) throws InterruptedException {
        long deadline = System.nanoTime() + drainMax.toNanos();
        synchronized (lock) {
            isStopping = true;
            while ((idleWorkers < limits.workers() || waitingCount() > 0) && System.nanoTime() < deadline) {
                // Checks also without a notification, because a claim may end without a batch.
                lock.wait(100);
            }
            if (waitingCount() > 0) {
                LOG.warnf("stopped with open claims claims=%d", waitingCount());
            }
        }
    }
}
