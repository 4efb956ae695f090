package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.berth.placement.db.HangingDatabase;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The one way to write allocations. Claims queue here and gather while a batch is at work, so that the batches grow
 * with the load and a lone claim never waits for company. A batch is at work until its COMMIT is sent; while the disk
 * takes its time over that, the next one begins.
 *
 * <p>Whoever comes upon somebody else's lock is rolled back after {@code lock_timeout} and waits in memory, by itself,
 * until the lock is gone: the other claims of its batch run again without it, and claims that name what is locked join
 * it. Until then a batch that waits keeps its locks; claims that name anything of it do not follow it into the database.
 *
 * <p>An answer leaves after the commit. Any thread may submit; the answer comes on the submitter's Vert.x context.
 * Nothing here blocks, the queue is bounded, and no claim waits longer than {@link #WAIT_MAX}.
 */
@Singleton
public final class Ledger {
    private static final Logger LOG = Logger.getLogger(Ledger.class);
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(10);
    /** Rows that the claims of one batch may name together; a single larger claim is a batch of its own. */
    static final int BATCH_ROWS_MAX = 4_096;
    private static final int HELD_ROW_BYTES = 250;
    /** A batch that is at work for longer waits for somebody's lock; the claims of others need not. */
    private static final Duration STALLED = Duration.ofMillis(50);
    /** Claims that are passed over in the search for those that need not wait. */
    private static final int PASSED_MAX = 512;
    /** How often those that wait for somebody's lock are looked after. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    /** Rolled back for the sake of others; of keys, a class that went before an inventory of it was written. */
    private static final Set<SqlFault> TRANSIENT =
            EnumSet.of(SqlFault.DEADLOCK_OR_SERIALIZATION, SqlFault.FOREIGN_KEY_VIOLATION);
    /** Other connections are tried this often when one breaks before its commit. */
    private static final int RECONNECTS_MAX = 2;
    /** So long the pool may hand out connections that broke together with this one. */
    private static final Duration RECONNECT_AFTER = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Pool pool;
    private final Limits limits;
    private final HangingDatabase database;
    private final LedgerMetrics metrics;
    private final KnownIds knownIds = new KnownIds();
    private final Object lock = new Object();
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private final LockWaits lockWaits = new LockWaits();
    /** Rows of all claims that are held may take an eighth of the heap. A lone claim may have more. */
    private final long heldRowsMax = Runtime.getRuntime().maxMemory() / 8 / HELD_ROW_BYTES;
    private final AtomicLong heldRows = new AtomicLong();
    private final Set<Turn> underWay = new HashSet<>();
    private int idleWorkers;
    private boolean looksAfterLocks;
    private boolean closing;

    /**
     * @param batchMax claims in one transaction
     * @param queueMax claims that may wait; at most half of them for locks
     * @param workers transactions at a time, the one at work and those that wait for their commit
     * @param repeatsMax how often a batch is tried again after a deadlock or a serialisation failure
     * @param waitMax after it a claim is answered, whatever it waits for
     */
    record Limits(int batchMax, int queueMax, int workers, int repeatsMax, Duration waitMax) {
        static final Limits DEFAULT = new Limits(128, 4_096, 3, 10);

        Limits(int batchMax, int queueMax, int workers, int repeatsMax) {
            this(batchMax, queueMax, workers, repeatsMax, WAIT_MAX);
        }

        Limits {
            if (batchMax < 1 || queueMax < 1 || workers < 1 || repeatsMax < 0) {
                throw new IllegalArgumentException("the ledger's limits are counts of at least 1: batch-max=" + batchMax
                        + " queue-max=" + queueMax + " workers=" + workers
                        + ", and allocation-conflict-retry-count of at least 0: " + repeatsMax);
            }
        }
    }

    @Inject
    Ledger(
            Vertx vertx,
            @ReactiveDataSource("ledger") Pool pool,
            HangingDatabase database,
            @ConfigProperty(name = "berth.placement.ledger.batch-max", defaultValue = "128") int batchMax,
            @ConfigProperty(name = "berth.placement.ledger.queue-max", defaultValue = "4096") int queueMax,
            @ConfigProperty(name = "berth.placement.ledger.workers", defaultValue = "3") int workers,
            @ConfigProperty(name = "berth.placement.placement.allocation-conflict-retry-count", defaultValue = "10")
                    int repeatsMax,
            LedgerMetrics metrics) {
        this(vertx, pool, database, new Limits(batchMax, queueMax, workers, repeatsMax), metrics);
    }

    Ledger(Vertx vertx, Pool pool, Limits limits, LedgerMetrics metrics) {
        this(vertx, pool, new HangingDatabase(), limits, metrics);
    }

    private Ledger(Vertx vertx, Pool pool, HangingDatabase database, Limits limits, LedgerMetrics metrics) {
        this.vertx = vertx;
        this.pool = pool;
        this.database = database;
        this.limits = limits;
        this.idleWorkers = limits.workers();
        this.metrics = metrics;
        metrics.watch(this::queueLength);
    }

    /** Why no claim can be taken now; null if one can. */
    @Nullable String obstacle() {
        synchronized (lock) {
            if (closing) {
                return "The service is stopping.";
            }
            if (database.hangs()) {
                return "The database does not answer.";
            }
            return waiting() < limits.queueMax() ? null : "Too many claims are waiting: " + limits.queueMax() + ".";
        }
    }

    /** Claims that wait for a batch, or for somebody's lock. */
    int queueLength() {
        synchronized (lock) {
            return waiting();
        }
    }

    private int waiting() {
        return queue.size() + lockWaits.size();
    }

    /** Fails only for bugs and for a database that does not answer before the commit; then nothing was changed. */
    public Uni<ClaimResult> submit(Claim claim) {
        return Uni.createFrom().emitter(emitter -> {
            String refusal;
            synchronized (lock) {
                refusal = obstacle();
                if (refusal == null && lockWaits.size() >= limits.queueMax() / 2 && lockWaits.concern(claim)) {
                    refusal = "Too many claims wait for a provider or consumer that is locked.";
                }
                int rows = claim.weight();
                if (refusal == null && heldRows.get() > 0 && heldRows.get() + rows > heldRowsMax) {
                    refusal = "Too many amounts are waiting to be claimed.";
                }
                if (refusal == null) {
                    heldRows.addAndGet(rows);
                    queue.add(new Waiter(claim, emitter, Vertx.currentContext()));
                }
            }
            if (refusal != null) {
                var refused = new ClaimResult.Unavailable(refusal);
                metrics.ended(refused);
                emitter.complete(refused);
            } else {
                work();
            }
        });
    }

    /** Begins a batch of what has gathered, if it is time for one. */
    private void work() {
        List<Waiter> batch;
        Turn turn;
        synchronized (lock) {
            if (!isTimeForABatch()) {
                return;
            }
            batch = take();
            if (batch.isEmpty()) {
                return;
            }
            idleWorkers--;
            turn = new Turn(batch);
            underWay.add(turn);
        }
        metrics.begun(batch.size());
        long now = System.nanoTime();
        batch.forEach(waiter -> metrics.waited(now - waiter.sinceNanos()));
        run(new Attempt(batch, 0, 0, turn, turn::end));
    }

    private boolean isTimeForABatch() {
        if (queue.isEmpty() || idleWorkers == 0) {
            return false;
        }
        return queue.size() >= limits.batchMax()
                || underWay.stream().allMatch(turn -> !turn.isAtWork || turn.isStalled());
    }

    /**
     * The next batch. Claims that name something locked go to {@link #lockWaits}; those that name something of a stalled
     * batch stay in the queue. Those that have waited for a lock run in a batch of their own, one at a time.
     */
    private List<Waiter> take() {
        Set<UUID> held = namesOfStalled();
        boolean otherWaitedForLock = underWay.stream().anyMatch(Turn::waitedForLock);
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
                    || !batch.isEmpty() && apart != batch.getFirst().waitedForLock()
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
        for (Turn turn : underWay) {
            if (turn.isStalled()) {
                names.addAll(turn.names());
            }
        }
        return names;
    }

    /** A batch's use of a worker. */
    private final class Turn {
        /** Those that it is to answer. */
        private final List<Waiter> waiters;
        private Set<UUID> names;
        private long begunNanos = System.nanoTime();
        private boolean isAtWork = true;

        private Turn(List<Waiter> batch) {
            waiters = new ArrayList<>(batch);
        }

        private boolean isStalled() {
            return isAtWork && System.nanoTime() - begunNanos > STALLED.toNanos();
        }

        private Set<UUID> names() {
            if (names == null) {
                names = claimed(waiters).providersAndConsumers();
            }
            return names;
        }

        private void dismiss(Waiter waiter) {
            waiters.remove(waiter);
            names = null;
        }

        private boolean waitedForLock() {
            return isAtWork && waiters.stream().anyMatch(Waiter::waitedForLock);
        }

        /** The rest is waiting, so that the next batch may begin. */
        private void committing() {
            synchronized (lock) {
                isAtWork = false;
            }
            work();
        }

        /** Every waiter has its answer. */
        private void end() {
            synchronized (lock) {
                isAtWork = false;
                underWay.remove(this);
                idleWorkers++;
                lock.notifyAll();
            }
            work();
        }
    }

    /** @param then what follows when every waiter has its answer */
    private record Attempt(List<Waiter> waiters, int repeats, int reconnects, Turn turn, Runnable then) {
        Attempt repeated() {
            return new Attempt(waiters, repeats + 1, reconnects, turn, then);
        }

        Attempt reconnected() {
            return new Attempt(waiters, repeats, reconnects + 1, turn, then);
        }

        Attempt of(List<Waiter> some) {
            return new Attempt(some, repeats, reconnects, turn, then);
        }
    }

    /** Runs a batch, again perhaps: without those that have had to be answered meanwhile. */
    private void run(Attempt given) {
        Attempt attempt = given.of(given.waiters().stream().filter(waiter -> !waiter.isAnswered()).toList());
        if (attempt.waiters().isEmpty()) {
            attempt.then().run();
            return;
        }
        synchronized (lock) {
            attempt.turn().begunNanos = System.nanoTime();
        }
        List<Claim> claims = attempt.waiters().stream().map(Waiter::claim).toList();
        Batch.run(pool, claims, knownIds, attempt.turn()::committing, metrics).onSuccess(end -> {
            switch (end) {
                case Batch.End.Done done -> {
                    for (int i = 0; i < claims.size(); i++) {
                        answer(attempt.waiters().get(i), done.results().get(i));
                    }
                    attempt.then().run();
                }
                case Batch.End.InDoubt lost -> {
                    LOG.warnf("commit without an answer claims=%d cause=%s", claims.size(), lost.cause().getMessage());
                    var inDoubt = new ClaimResult.InDoubt("The database did not answer the commit; the claim may hold.");
                    attempt.waiters().forEach(waiter -> answer(waiter, inDoubt));
                    attempt.then().run();
                }
                case Batch.End.RolledBack rolledBack -> again(attempt, rolledBack.cause());
            }
        });
    }

    /** After a rollback: once more, one by one, or not at all. */
    private void again(Attempt attempt, Throwable cause) {
        SqlFault fault = SqlFault.of(cause);
        if (fault == SqlFault.LOCKED) {
            setApart(attempt);
        } else if (cause instanceof LedgerStore.Vanished || TRANSIENT.contains(fault)) {
            if (attempt.repeats() < limits.repeatsMax()) {
                metrics.repeated(LedgerMetrics.Repeat.RACED);
                run(attempt.repeated());
            } else {
                LOG.warnf("batch given up claims=%d repeats=%d cause=%s", attempt.waiters().size(), attempt.repeats(), cause.getMessage());
                var busy = new ClaimResult.Unavailable("Other writers were in the way " + attempt.repeats() + " times.");
                attempt.waiters().forEach(waiter -> answer(waiter, busy));
                attempt.then().run();
            }
        } else if (fault == SqlFault.AWAY) {
            if (attempt.reconnects() < RECONNECTS_MAX && !database.hangs()) {
                metrics.repeated(LedgerMetrics.Repeat.RECONNECTED);
                vertx.setTimer(RECONNECT_AFTER.toMillis(), _ -> run(attempt.reconnected()));
            } else {
                attempt.waiters().forEach(waiter -> fail(waiter, cause));
                attempt.then().run();
            }
        } else if (attempt.waiters().size() > 1) {
            LOG.warnf("batch failed, its claims run one by one claims=%d cause=%s", attempt.waiters().size(), cause.getMessage());
            oneByOne(attempt);
        } else {
            fail(attempt.waiters().getFirst(), cause);
            attempt.then().run();
        }
    }

    /** Somebody holds what a claim needs: those concerned wait until the lock is gone, the others run again. */
    private void setApart(Attempt attempt) {
        List<Waiter> waiters = attempt.waiters();
        ClaimedNames named = claimed(waiters);
        LockStore.find(pool, named.providersAndConsumers()).onComplete(found -> {
            Set<UUID> locked = found.succeeded() ? found.result() : named.providersAndConsumers();
            if (!locked.isEmpty()) {
                setApart(attempt, locked);
            } else if (waiters.size() > 1) {
                oneByOne(attempt);
            } else {
                // Gone by now, or a lock that cannot be seen: on a consumer that somebody is inserting.
                setApart(attempt, named.consumers());
            }
        });
    }

    private void setApart(Attempt attempt, Set<UUID> locked) {
        List<Waiter> left = new ArrayList<>();
        synchronized (lock) {
            lockWaits.learn(locked);
            for (Waiter waiter : attempt.waiters()) {
                if (lockWaits.concern(waiter.claim())) {
                    attempt.turn().dismiss(waiter);
                    lockWaits.add(waiter);
                } else {
                    left.add(waiter);
                }
            }
        }
        LOG.debugf("claims wait for locks claims=%d locked=%s", attempt.waiters().size() - left.size(), locked);
        metrics.repeated(LedgerMetrics.Repeat.LOCKED);
        lookAfterLocks();
        run(attempt.of(left));
    }

    private static ClaimedNames claimed(List<Waiter> waiters) {
        return new ClaimedNames(waiters.stream().map(Waiter::claim).toList());
    }

    /** Some time from now, until nobody waits for a lock. */
    private void lookAfterLocks() {
        synchronized (lock) {
            if (looksAfterLocks || lockWaits.isEmpty()) {
                return;
            }
            looksAfterLocks = true;
        }
        vertx.setTimer(LOOK_AGAIN.toMillis(), timer -> {
            Set<UUID> asked;
            synchronized (lock) {
                asked = lockWaits.locked();
            }
            LockStore.find(pool, asked).onComplete(found -> {
                List<Waiter> free = new ArrayList<>();
                synchronized (lock) {
                    looksAfterLocks = false;
                    boolean isLocked = found.failed() && SqlFault.LOCKED.isIn(found.cause());
                    // Without an answer they try again, and learn what the others learn.
                    lockWaits.release(asked, found.succeeded() ? found.result() : isLocked ? asked : Set.of(), free);
                    free.reversed().forEach(queue::addFirst);
                }
                lookAfterLocks();
                work();
            });
        });
    }

    private void answer(Waiter waiter, ClaimResult result) {
        if (waiter.answer(result)) {
            heldRows.addAndGet(-waiter.claim().weight());
            metrics.ended(result);
        }
    }

    private void fail(Waiter waiter, Throwable cause) {
        if (waiter.fail(cause)) {
            heldRows.addAndGet(-waiter.claim().weight());
            metrics.failed();
        }
    }

    private void oneByOne(Attempt attempt) {
        metrics.repeated(LedgerMetrics.Repeat.ONE_BY_ONE);
        oneByOne(new ArrayDeque<>(attempt.waiters()), attempt.turn());
    }

    private void oneByOne(Deque<Waiter> left, Turn turn) {
        Waiter next = left.poll();
        if (next == null) {
            turn.end();
        } else {
            run(new Attempt(List.of(next), 0, 0, turn, () -> oneByOne(left, turn)));
        }
    }

    /** Answers whoever has waited too long: for a turn or a lock (nothing was changed) or for a batch that does not end. */
    @Scheduled(every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void answerTheLate() {
        long now = System.nanoTime();
        Predicate<Waiter> isLate = waiter -> waiter.isLate(now, limits.waitMax());
        List<Waiter> waiting = new ArrayList<>();
        List<Waiter> lockedOut = new ArrayList<>();
        List<Waiter> running = new ArrayList<>();
        synchronized (lock) {
            queue.removeIf(waiter -> isLate.test(waiter) && waiting.add(waiter));
            lockWaits.drain(isLate, lockedOut);
            for (Turn turn : underWay) {
                turn.waiters.stream().filter(isLate).forEach(running::add);
            }
        }
        long seconds = limits.waitMax().toSeconds();
        waiting.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable("No turn within " + seconds + " seconds.")));
        lockedOut.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable(
                        "A provider or consumer of the claim was locked for " + seconds + " seconds.")));
        running.forEach(waiter -> answer(
                waiter, new ClaimResult.InDoubt("The database did not answer within " + seconds + " seconds.")));
        // Those that wait behind a stalled batch, should nobody else come.
        work();
    }

    /** Takes no more claims and waits for those it has, for at most {@link #DRAIN_MAX}. */
    void drain(@Observes ShutdownEvent event) throws InterruptedException {
        long deadline = System.nanoTime() + DRAIN_MAX.toNanos();
        synchronized (lock) {
            closing = true;
            while ((idleWorkers < limits.workers() || waiting() > 0) && System.nanoTime() < deadline) {
                lock.wait(100);
            }
            if (waiting() > 0) {
                LOG.warnf("stopped with claims unanswered claims=%d", waiting());
            }
        }
    }
}
