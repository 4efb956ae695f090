package io.berth.placement.ledger;

import io.berth.database.SqlFault;
import io.berth.placement.db.HangingDatabase;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
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
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The one way to write allocations. Claims queue here and gather while a batch is at work, so that the batches grow
 * with the load and a lone claim never waits for company. A batch is at work until its COMMIT is sent; while the disk
 * takes its time over that, the next one begins.
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
    private static final int BATCH_ROWS_MAX = 4_096;
    /** A batch that is at work for longer waits for somebody's lock; the claims of others need not. */
    private static final Duration STALLED = Duration.ofMillis(50);
    /** Rolled back for the sake of others; of keys, a class that went before an inventory of it was written. */
    private static final Set<SqlFault> TRANSIENT =
            EnumSet.of(SqlFault.DEADLOCK_OR_SERIALIZATION, SqlFault.LOCKED, SqlFault.FOREIGN_KEY_VIOLATION);
    /** Other connections are tried this often when one breaks before its commit. */
    private static final int RECONNECTS_MAX = 2;

    private final Pool pool;
    private final Limits limits;
    private final HangingDatabase database;
    private final LedgerMetrics metrics;
    private final KnownIds knownIds = new KnownIds();
    private final Object lock = new Object();
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private final Set<Turn> underWay = new HashSet<>();
    private int idleWorkers;
    /** Batches of which COMMIT is not sent yet. */
    private int atWork;
    private long lastBegunNanos;
    private boolean closing;

    /**
     * @param batchMax claims in one transaction
     * @param queueMax claims that may wait
     * @param workers transactions at a time, the one at work and those that wait for their commit
     * @param repeatsMax how often a batch is tried again after a deadlock or a serialisation failure
     */
    record Limits(int batchMax, int queueMax, int workers, int repeatsMax) {
        static final Limits DEFAULT = new Limits(128, 4_096, 3, 10);

        Limits {
            if (batchMax < 1 || queueMax < 1 || workers < 1 || repeatsMax < 0) {
                throw new IllegalArgumentException("the ledger's limits are counts of at least 1: batch-max=" + batchMax
                        + " queue-max=" + queueMax + " workers=" + workers
                        + ", and allocation-conflict-retry-count of at least 0: " + repeatsMax);
            }
        }
    }

    private record Waiter(Claim claim, UniEmitter<? super ClaimResult> emitter, Context context, long sinceNanos) {
        boolean isLate(long nowNanos) {
            return nowNanos - sinceNanos > WAIT_MAX.toNanos();
        }

        void answer(ClaimResult result) {
            onContext(() -> emitter.complete(result));
        }

        void fail(Throwable failure) {
            onContext(() -> emitter.fail(failure));
        }

        private void onContext(Runnable answer) {
            if (context == null) {
                answer.run();
            } else {
                context.runOnContext(ignored -> answer.run());
            }
        }
    }

    @Inject
    Ledger(
            @ReactiveDataSource("ledger") Pool pool,
            HangingDatabase database,
            @ConfigProperty(name = "berth.placement.ledger.batch-max", defaultValue = "128") int batchMax,
            @ConfigProperty(name = "berth.placement.ledger.queue-max", defaultValue = "4096") int queueMax,
            @ConfigProperty(name = "berth.placement.ledger.workers", defaultValue = "3") int workers,
            @ConfigProperty(name = "berth.placement.placement.allocation-conflict-retry-count", defaultValue = "10")
                    int repeatsMax,
            LedgerMetrics metrics) {
        this(pool, database, new Limits(batchMax, queueMax, workers, repeatsMax), metrics);
    }

    Ledger(Pool pool, Limits limits) {
        this(pool, new HangingDatabase(), limits, LedgerMetrics.none());
    }

    private Ledger(Pool pool, HangingDatabase database, Limits limits, LedgerMetrics metrics) {
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
            return queue.size() < limits.queueMax() ? null : "Too many claims are waiting: " + limits.queueMax() + ".";
        }
    }

    /** Claims that wait for a batch. */
    int queueLength() {
        synchronized (lock) {
            return queue.size();
        }
    }

    /** Fails only for bugs and for a database that does not answer before the commit; then nothing was changed. */
    public Uni<ClaimResult> submit(Claim claim) {
        return Uni.createFrom().emitter(emitter -> {
            String refusal;
            synchronized (lock) {
                refusal = obstacle();
                if (refusal == null) {
                    queue.add(new Waiter(claim, emitter, Vertx.currentContext(), System.nanoTime()));
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
        List<Waiter> batch = new ArrayList<>();
        var turn = new Turn(batch);
        synchronized (lock) {
            if (!isTimeForABatch()) {
                return;
            }
            int rows = 0;
            while (!queue.isEmpty() && batch.size() < limits.batchMax()) {
                rows += queue.peek().claim().weight();
                if (rows > BATCH_ROWS_MAX && !batch.isEmpty()) {
                    break;
                }
                batch.add(queue.poll());
            }
            idleWorkers--;
            atWork++;
            lastBegunNanos = System.nanoTime();
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
        return atWork == 0
                || queue.size() >= limits.batchMax()
                || System.nanoTime() - lastBegunNanos > STALLED.toNanos();
    }

    /** A batch's use of a worker. */
    private final class Turn {
        private final List<Waiter> batch;
        private boolean isAtWork = true;

        private Turn(List<Waiter> batch) {
            this.batch = batch;
        }

        /** The rest is waiting, so that the next batch may begin. */
        private void committing() {
            synchronized (lock) {
                leaveWork();
            }
            work();
        }

        /** Every waiter has its answer. */
        private void end() {
            synchronized (lock) {
                leaveWork();
                underWay.remove(this);
                idleWorkers++;
                lock.notifyAll();
            }
            work();
        }

        private void leaveWork() {
            atWork -= isAtWork ? 1 : 0;
            isAtWork = false;
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
    }

    private void run(Attempt attempt) {
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
        if (cause instanceof LedgerStore.Vanished || TRANSIENT.contains(fault)) {
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
                run(attempt.reconnected());
            } else {
                attempt.waiters().forEach(waiter -> fail(waiter, cause));
                attempt.then().run();
            }
        } else if (attempt.waiters().size() > 1) {
            LOG.warnf("batch failed, its claims run one by one claims=%d cause=%s", attempt.waiters().size(), cause.getMessage());
            metrics.repeated(LedgerMetrics.Repeat.ONE_BY_ONE);
            oneByOne(new ArrayDeque<>(attempt.waiters()), attempt.turn());
        } else {
            fail(attempt.waiters().getFirst(), cause);
            attempt.then().run();
        }
    }

    private void answer(Waiter waiter, ClaimResult result) {
        metrics.ended(result);
        waiter.answer(result);
    }

    private void fail(Waiter waiter, Throwable cause) {
        metrics.failed();
        waiter.fail(cause);
    }

    private void oneByOne(Deque<Waiter> left, Turn turn) {
        Waiter next = left.poll();
        if (next == null) {
            turn.end();
        } else {
            run(new Attempt(List.of(next), 0, 0, turn, () -> oneByOne(left, turn)));
        }
    }

    /** Answers whoever has waited too long: for a turn (nothing was changed) or for a batch that does not end. */
    @Scheduled(every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void answerTheLate() {
        long now = System.nanoTime();
        List<Waiter> waiting = new ArrayList<>();
        List<Waiter> running = new ArrayList<>();
        synchronized (lock) {
            while (!queue.isEmpty() && queue.peek().isLate(now)) {
                waiting.add(queue.poll());
            }
            for (Turn turn : underWay) {
                turn.batch.stream().filter(waiter -> waiter.isLate(now)).forEach(running::add);
            }
        }
        waiting.forEach(waiter -> answer(
                waiter, new ClaimResult.Unavailable("No turn within " + WAIT_MAX.toSeconds() + " seconds.")));
        running.forEach(waiter -> answer(
                waiter, new ClaimResult.InDoubt("The database did not answer within " + WAIT_MAX.toSeconds() + " seconds.")));
        // Those that wait behind a stalled batch, should nobody else come.
        work();
    }

    /** Takes no more claims and waits for those it has, for at most {@link #DRAIN_MAX}. */
    void drain(@Observes ShutdownEvent event) throws InterruptedException {
        long deadline = System.nanoTime() + DRAIN_MAX.toNanos();
        synchronized (lock) {
            closing = true;
            while ((idleWorkers < limits.workers() || !queue.isEmpty()) && System.nanoTime() < deadline) {
                lock.wait(100);
            }
            if (!queue.isEmpty()) {
                LOG.warnf("stopped with claims unanswered claims=%d", queue.size());
            }
        }
    }
}
