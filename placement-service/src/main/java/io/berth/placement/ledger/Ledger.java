package io.berth.placement.ledger;

import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The one way to write allocations. Claims queue here; each worker takes what has gathered while its last batch was
 * under way, so that the batches grow with the load and a lone claim never waits for company.
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
    private static final Set<String> TRANSIENT = Set.of("40001", "40P01", "55P03");
    /** Other connections are tried this often when one breaks before its commit. */
    private static final int RECONNECTS_MAX = 2;

    private final Pool pool;
    private final Limits limits;
    private final Object lock = new Object();
    private final Deque<Waiter> queue = new ArrayDeque<>();
    private final Set<List<Waiter>> underWay = new HashSet<>();
    private int idleWorkers;
    private boolean closing;

    /**
     * @param batchMax claims in one transaction
     * @param queueMax claims that may wait
     * @param workers transactions at a time
     * @param repeatsMax how often a batch is tried again after a deadlock or a serialisation failure
     */
    record Limits(int batchMax, int queueMax, int workers, int repeatsMax) {
        static final Limits DEFAULT = new Limits(128, 4_096, 2, 10);

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
            @ConfigProperty(name = "berth.placement.ledger.batch-max", defaultValue = "128") int batchMax,
            @ConfigProperty(name = "berth.placement.ledger.queue-max", defaultValue = "4096") int queueMax,
            @ConfigProperty(name = "berth.placement.ledger.workers", defaultValue = "2") int workers,
            @ConfigProperty(name = "berth.placement.placement.allocation-conflict-retry-count", defaultValue = "10")
                    int repeatsMax) {
        this(pool, new Limits(batchMax, queueMax, workers, repeatsMax));
    }

    Ledger(Pool pool, Limits limits) {
        this.pool = pool;
        this.limits = limits;
        this.idleWorkers = limits.workers();
    }

    /** Fails only for bugs and for a database that does not answer before the commit; then nothing was changed. */
    public Uni<ClaimResult> submit(Claim claim) {
        return Uni.createFrom().emitter(emitter -> {
            String refusal = null;
            boolean start = false;
            synchronized (lock) {
                if (closing) {
                    refusal = "The service is stopping.";
                } else if (queue.size() >= limits.queueMax()) {
                    refusal = "Too many claims are waiting: " + limits.queueMax() + ".";
                } else {
                    queue.add(new Waiter(claim, emitter, Vertx.currentContext(), System.nanoTime()));
                    start = idleWorkers > 0;
                    idleWorkers -= start ? 1 : 0;
                }
            }
            if (refusal != null) {
                emitter.complete(new ClaimResult.Unavailable(refusal));
            } else if (start) {
                work();
            }
        });
    }

    /** One worker's turn: takes a batch, runs it and begins again, until the queue is empty. */
    private void work() {
        List<Waiter> batch = new ArrayList<>();
        synchronized (lock) {
            int rows = 0;
            while (!queue.isEmpty() && batch.size() < limits.batchMax()) {
                rows += queue.peek().claim().weight();
                if (rows > BATCH_ROWS_MAX && !batch.isEmpty()) {
                    break;
                }
                batch.add(queue.poll());
            }
            if (batch.isEmpty()) {
                idleWorkers++;
                lock.notifyAll();
                return;
            }
            underWay.add(batch);
        }
        run(new Attempt(batch, 0, 0, () -> {
            synchronized (lock) {
                underWay.remove(batch);
            }
            work();
        }));
    }

    /** @param then what the worker does when every waiter has its answer */
    private record Attempt(List<Waiter> waiters, int repeats, int reconnects, Runnable then) {}

    private void run(Attempt attempt) {
        List<Claim> claims = attempt.waiters().stream().map(Waiter::claim).toList();
        Batch.run(pool, claims).onSuccess(end -> {
            switch (end) {
                case Batch.End.Done done -> {
                    for (int i = 0; i < claims.size(); i++) {
                        attempt.waiters().get(i).answer(done.results().get(i));
                    }
                    attempt.then().run();
                }
                case Batch.End.InDoubt lost -> {
                    LOG.warnf("commit without an answer claims=%d cause=%s", claims.size(), lost.cause().getMessage());
                    var inDoubt = new ClaimResult.InDoubt("The database did not answer the commit; the claim may hold.");
                    attempt.waiters().forEach(waiter -> waiter.answer(inDoubt));
                    attempt.then().run();
                }
                case Batch.End.RolledBack rolledBack -> again(attempt, rolledBack.cause());
            }
        });
    }

    /** After a rollback: once more, one by one, or not at all. */
    private void again(Attempt attempt, Throwable cause) {
        String sqlState = cause instanceof PgException refused ? refused.getSqlState() : null;
        boolean raced = cause instanceof LedgerStore.ConsumerVanished || (sqlState != null && TRANSIENT.contains(sqlState));
        if (raced) {
            if (attempt.repeats() < limits.repeatsMax()) {
                run(new Attempt(attempt.waiters(), attempt.repeats() + 1, attempt.reconnects(), attempt.then()));
            } else {
                LOG.warnf("batch given up claims=%d repeats=%d cause=%s", attempt.waiters().size(), attempt.repeats(), cause.getMessage());
                var busy = new ClaimResult.Unavailable("Other writers were in the way " + attempt.repeats() + " times.");
                attempt.waiters().forEach(waiter -> waiter.answer(busy));
                attempt.then().run();
            }
        } else if (isConnectionLost(cause)) {
            if (attempt.reconnects() < RECONNECTS_MAX) {
                run(new Attempt(attempt.waiters(), attempt.repeats(), attempt.reconnects() + 1, attempt.then()));
            } else {
                attempt.waiters().forEach(waiter -> waiter.fail(cause));
                attempt.then().run();
            }
        } else if (attempt.waiters().size() > 1) {
            LOG.warnf("batch failed, its claims run one by one claims=%d cause=%s", attempt.waiters().size(), cause.getMessage());
            oneByOne(new ArrayDeque<>(attempt.waiters()), attempt.then());
        } else {
            attempt.waiters().getFirst().fail(cause);
            attempt.then().run();
        }
    }

    private void oneByOne(Deque<Waiter> left, Runnable then) {
        Waiter next = left.poll();
        if (next == null) {
            then.run();
        } else {
            run(new Attempt(List.of(next), 0, 0, () -> oneByOne(left, then)));
        }
    }

    /** The connection broke or was never made, or the server is going down. */
    private static boolean isConnectionLost(Throwable cause) {
        return switch (cause) {
            // Before VertxException, which it extends.
            case PgException refused -> refused.getSqlState() != null && refused.getSqlState().startsWith("57P");
            case IOException broken -> true;
            case VertxException closed -> true;
            default -> false;
        };
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
            for (List<Waiter> batch : underWay) {
                batch.stream().filter(waiter -> waiter.isLate(now)).forEach(running::add);
            }
        }
        waiting.forEach(waiter -> waiter.answer(
                new ClaimResult.Unavailable("No turn within " + WAIT_MAX.toSeconds() + " seconds.")));
        running.forEach(waiter -> waiter.answer(
                new ClaimResult.InDoubt("The database did not answer within " + WAIT_MAX.toSeconds() + " seconds.")));
    }

    /** Takes no more claims and waits for those it has, for at most {@link #DRAIN_MAX}. */
    void drain(@Observes ShutdownEvent event) throws InterruptedException {
        long deadline = System.nanoTime() + DRAIN_MAX.toNanos();
        synchronized (lock) {
            closing = true;
            while (idleWorkers < limits.workers() && System.nanoTime() < deadline) {
                lock.wait(100);
            }
            if (!queue.isEmpty()) {
                LOG.warnf("stopped with claims unanswered claims=%d", queue.size());
            }
        }
    }
}
