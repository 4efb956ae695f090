package io.berth.scheduler.db;

import io.berth.context.CallerContext;
import io.berth.database.SqlFault;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Batches the writes of concurrent callers: calls that arrive while a batch runs share the next batch, and so its
 * commit. A batch starts at once if the maximum number of batches is not running. The number of waiting callers has no
 * bound here, because every caller is a request in flight, whose number is bounded. Thread-safe; a response arrives on
 * the caller's Vert.x context.
 *
 * @param <Q> type of a caller's request
 * @param <A> type of the response to a request; never null
 */
public final class Batches<Q, A> {
    /** Number of transient failures after which the remaining callers of a failed batch are not retried one by one. */
    private static final int TRANSIENT_FAILURES_MAX = 2;

    private final int batchMax;
    private final int atOnceMax;
    private final Duration writeMax;
    private final Function<Q, ? extends Collection<?>> keys;
    private final Function<List<Q>, Uni<Function<Q, A>>> write;
    /** Callers in order of arrival. Guards itself, {@code keysUnderWay} and {@code underWay}. */
    private final ArrayDeque<Waiter<Q, A>> waiting = new ArrayDeque<>();
    /** The keys of all batches in progress. */
    private final Set<Object> keysUnderWay = new HashSet<>();

    /** Number of batches in progress. */
    private int underWay;
    /** Calls of {@link #writeNext} that its loop has not yet served; 0 if no thread runs the loop. */
    private final AtomicInteger calls = new AtomicInteger();

    /** Like the other constructor, with one batch at a time. */
    public Batches(
            int batchMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this(batchMax, 1, writeMax, keys, write);
    }

    /**
     * @param batchMax maximum callers in one batch, at least 1
     * @param atOnceMax maximum batches in progress, at least 1
     * @param writeMax time limit of a batch, after which it fails
     * @param keys returns the keys of a request; the batches in progress never contain a key twice, and requests with
     *     a common key are written in order of arrival
     * @param write writes a batch, and returns a function from request to response
     */
    public Batches(
            int batchMax,
            int atOnceMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this.batchMax = batchMax;
        this.atOnceMax = atOnceMax;
        this.writeMax = writeMax;
        this.keys = keys;
        this.write = write;
    }

    private record Waiter<Q, A>(Q query, UniEmitter<? super A> emitter) {}

    /** Writes the request with the next possible batch. Fails with the failure of its own write. */
    public Uni<A> add(Q asked) {
        Uni<A> written = Uni.createFrom().emitter(emitter -> {
            synchronized (waiting) {
                waiting.add(new Waiter<>(asked, emitter));
            }
            writeNext();
        });
        return written.emitOn(CallerContext.executor());
    }

    /**
     * Starts batches up to the maximum; every batch calls this method again when it ends. Only one thread at a time
     * runs the loop, and serves the calls of other threads, too. Without that, batches that end synchronously would
     * recurse once per caller and overflow the stack.
     */
    private void writeNext() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int done = 1;
        do {
            for (List<Waiter<Q, A>> next = next(); !next.isEmpty(); next = next()) {
                List<Waiter<Q, A>> batch = next;
                written(batch).subscribe().with(ignored -> afterBatch(batch));
            }
            done = calls.addAndGet(-done);
        } while (done > 0);
    }

    private void afterBatch(List<Waiter<Q, A>> batch) {
        synchronized (waiting) {
            underWay--;
            batch.forEach(waiter -> keysUnderWay.removeAll(keys.apply(waiter.query())));
        }
        writeNext();
    }

    /**
     * Returns the callers of the next batch; empty if none may start now. Skips a caller that shares a key with a batch
     * in progress, with an earlier caller of this batch or with a skipped caller, so that callers with a common key are
     * served in order.
     */
    private List<Waiter<Q, A>> next() {
        List<Waiter<Q, A>> next = new ArrayList<>();
        synchronized (waiting) {
            if (underWay == atOnceMax) {
                return next;
            }
            Set<Object> taken = new HashSet<>(keysUnderWay);
            for (Iterator<Waiter<Q, A>> all = waiting.iterator(); all.hasNext() && next.size() < batchMax;) {
                Waiter<Q, A> waiter = all.next();
                Collection<?> own = keys.apply(waiter.query());
                if (Collections.disjoint(own, taken)) {
                    next.add(waiter);
                    all.remove();
                    keysUnderWay.addAll(own);
                }
                taken.addAll(own);
            }
            underWay += next.isEmpty() ? 0 : 1;
        }
        return next;
    }

    /**
     * Completes once every caller has its response or failure; never fails. If the batch fails, its callers are written
     * one by one, so that an invalid request fails only its own caller.
     */
    private Uni<Void> written(List<Waiter<Q, A>> batch) {
        return attempt(batch).onFailure().recoverWithUni(failure -> {
            if (batch.size() > 1) {
                return writtenAlone(batch);
            }
            fail(batch.getFirst(), failure);
            return Uni.createFrom().voidItem();
        });
    }

    /** Writes a batch and responds to its callers. If the write fails, no caller has a response yet. */
    private Uni<Void> attempt(List<Waiter<Q, A>> batch) {
        return Uni.createFrom()
                .deferred(() -> write.apply(batch.stream().map(Waiter::query).toList()))
                .ifNoItem().after(writeMax).fail()
                .onItem().invoke(answers -> batch.forEach(
                        waiter -> waiter.emitter().complete(answers.apply(waiter.query()))))
                .replaceWithVoid();
    }

    /**
     * Writes callers one after the other. After {@value #TRANSIENT_FAILURES_MAX} transient failures the remaining
     * callers fail immediately. One transient failure may be due to a lock that only that caller needs; a second one
     * indicates that the database is unavailable, and each further caller would wait for the time limit.
     */
    private Uni<Void> writtenAlone(List<Waiter<Q, A>> waiters) {
        List<Throwable> transientFailures = new ArrayList<>();
        return Multi.createFrom().iterable(waiters)
                .onItem().transformToUniAndConcatenate(waiter -> {
                    if (transientFailures.size() == TRANSIENT_FAILURES_MAX) {
                        waiter.emitter().fail(transientFailures.getLast());
                        return Uni.createFrom().voidItem();
                    }
                    return attempt(List.of(waiter)).onFailure().recoverWithItem(failure -> {
                        if (SqlFault.of(failure).isPassing()) {
                            transientFailures.add(failure);
                        }
                        fail(waiter, failure);
                        return null;
                    });
                })
                .onItem().ignoreAsUni();
    }

    /**
     * Fails a caller. If the failure is a lock timeout, also fails the waiting callers that have all keys of this
     * caller, because each would wait for the same lock. Callers with only some of the keys may not need that lock.
     */
    private void fail(Waiter<Q, A> waiter, Throwable failure) {
        List<Waiter<Q, A>> alike = new ArrayList<>(List.of(waiter));
        if (SqlFault.LOCKED.isIn(failure)) {
            Collection<?> own = keys.apply(waiter.query());
            synchronized (waiting) {
                waiting.removeIf(each -> keys.apply(each.query()).containsAll(own) && alike.add(each));
            }
        }
        alike.forEach(each -> each.emitter().fail(failure));
    }
}
