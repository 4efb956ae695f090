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
 * Batches the writes of concurrent callers. A batch starts at once while fewer than the maximum number of batches run;
 * calls that arrive later wait, and share the next batch and its commit. The number of waiting callers has no bound
 * here, because each belongs to a request in flight, and the number of requests in flight is bounded elsewhere.
 * Thread-safe; a response arrives on the caller's Vert.x context.
 *
 * @param <Q> type of a caller's request
 * @param <A> type of the response to a request; never null
 */
public final class Batches<Q, A> {
    /** Number of temporary failures after which the remaining callers of a failed batch are not retried one by one. */
    private static final int TEMPORARY_FAILURES_MAX = 2;

    private final int batchMax;
    private final int concurrentMax;
    private final Duration writeMax;
    private final Function<Q, ? extends Collection<?>> keys;
    private final Function<List<Q>, Uni<Function<Q, A>>> write;
    /** Callers in order of arrival. Guards itself, {@code keysInProgress} and {@code batchesInProgress}. */
    private final ArrayDeque<Waiter<Q, A>> waiters = new ArrayDeque<>();
    /** The keys of all batches in progress. */
    private final Set<Object> keysInProgress = new HashSet<>();

    /** Number of batches in progress. */
    private int batchesInProgress;
    /** Calls of {@link #writeNext} that the loop in this method has not yet served; 0 if no thread runs the loop. */
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
     * @param concurrentMax maximum batches in progress, at least 1
     * @param writeMax time limit of a batch, after which it fails
     * @param keys returns the keys of a request; the batches in progress never contain a key twice, and requests with
     *     a common key are written in order of arrival
     * @param write writes a batch, and returns a function from request to response
     */
    public Batches(
            int batchMax,
            int concurrentMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this.batchMax = batchMax;
        this.concurrentMax = concurrentMax;
        this.writeMax = writeMax;
        this.keys = keys;
        this.write = write;
    }

    /** A caller that waits for its response. */
    private record Waiter<Q, A>(Q request, UniEmitter<? super A> emitter) {}

    /**
     * Writes the request with the next possible batch. Fails if the write of this request fails, or is not tried
     * because of the failures of other requests (see {@code writeOneByOne} and {@code fail}).
     */
    public Uni<A> add(Q request) {
        Uni<A> written = Uni.createFrom().emitter(emitter -> {
            synchronized (waiters) {
                waiters.add(new Waiter<>(request, emitter));
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
        int served = 1;
        do {
            for (List<Waiter<Q, A>> next = takeNextBatch(); !next.isEmpty(); next = takeNextBatch()) {
                List<Waiter<Q, A>> batch = next;
                writeBatch(batch).subscribe().with(ignored -> afterBatch(batch));
            }
            served = calls.addAndGet(-served);
        } while (served > 0);
    }

    private void afterBatch(List<Waiter<Q, A>> batch) {
        synchronized (waiters) {
            batchesInProgress--;
            batch.forEach(waiter -> keysInProgress.removeAll(keys.apply(waiter.request())));
        }
        writeNext();
    }

    /**
     * Removes the callers of the next batch from the queue and returns them; empty if no batch may start now. Skips a
     * caller that shares a key with a batch in progress, with an earlier caller of this batch or with a skipped caller,
     * so that callers with a common key are served in order.
     */
    private List<Waiter<Q, A>> takeNextBatch() {
        List<Waiter<Q, A>> next = new ArrayList<>();
        synchronized (waiters) {
            if (batchesInProgress == concurrentMax) {
                return next;
            }
            Set<Object> usedKeys = new HashSet<>(keysInProgress);
            for (Iterator<Waiter<Q, A>> iterator = waiters.iterator(); iterator.hasNext() && next.size() < batchMax;) {
                Waiter<Q, A> waiter = iterator.next();
                Collection<?> requestKeys = keys.apply(waiter.request());
                if (Collections.disjoint(requestKeys, usedKeys)) {
                    next.add(waiter);
                    iterator.remove();
                    keysInProgress.addAll(requestKeys);
                }
                usedKeys.addAll(requestKeys);
            }
            batchesInProgress += next.isEmpty() ? 0 : 1;
        }
        return next;
    }

    /**
     * Completes once every caller has its response or failure; never fails. If a batch of several callers fails, their
     * requests are written one by one, so that an invalid request fails only its own caller.
     */
    private Uni<Void> writeBatch(List<Waiter<Q, A>> batch) {
        return writeOnce(batch).onFailure().recoverWithUni(failure -> {
            if (batch.size() > 1) {
                return writeOneByOne(batch);
            }
            fail(batch.getFirst(), failure);
            return Uni.createFrom().voidItem();
        });
    }

    /** Writes a batch and responds to its callers. If the write fails, no caller has a response yet. */
    private Uni<Void> writeOnce(List<Waiter<Q, A>> batch) {
        return Uni.createFrom()
                .deferred(() -> write.apply(batch.stream().map(Waiter::request).toList()))
                .ifNoItem().after(writeMax).fail()
                .onItem().invoke(answers -> batch.forEach(
                        waiter -> waiter.emitter().complete(answers.apply(waiter.request()))))
                .replaceWithVoid();
    }

    /**
     * Writes the requests of a failed batch one after the other. After {@value #TEMPORARY_FAILURES_MAX} temporary
     * failures the remaining callers fail immediately. One temporary failure may be due to a lock that only that caller
     * needs; a second one indicates that the database is unavailable, so that each further caller would wait for the
     * time limit.
     */
    private Uni<Void> writeOneByOne(List<Waiter<Q, A>> callers) {
        List<Throwable> temporaryFailures = new ArrayList<>();
        return Multi.createFrom().iterable(callers)
                .onItem().transformToUniAndConcatenate(waiter -> {
                    if (temporaryFailures.size() == TEMPORARY_FAILURES_MAX) {
                        waiter.emitter().fail(temporaryFailures.getLast());
                        return Uni.createFrom().voidItem();
                    }
                    return writeOnce(List.of(waiter)).onFailure().recoverWithItem(failure -> {
                        if (SqlFault.of(failure).isTemporary()) {
                            temporaryFailures.add(failure);
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
        List<Waiter<Q, A>> failing = new ArrayList<>(List.of(waiter));
        if (SqlFault.LOCKED.isKindOf(failure)) {
            Collection<?> requestKeys = keys.apply(waiter.request());
            synchronized (waiters) {
                waiters.removeIf(each -> keys.apply(each.request()).containsAll(requestKeys) && failing.add(each));
            }
        }
        failing.forEach(each -> each.emitter().fail(failure));
    }
}
