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
 * Batches the writes of concurrent callers: calls that arrive during a statement share the next one, and so its commit.
 * One batch runs at a time, or a few, and a lone caller never waits for others. The number of waiting callers is not
 * bounded here, because each is a request in flight, and those are bounded elsewhere. Thread-safe; the response arrives
 * on the caller's Vert.x context.
 *
 * @param <Q> type of a caller's request
 * @param <A> type of its response; never null
 */
public final class Batches<Q, A> {
    /** Maximum callers of a failed batch that wait for the database in vain, one after the other. */
    private static final int IN_VAIN_MAX = 2;

    private final int togetherMax;
    private final int atOnceMax;
    private final Duration writeMax;
    private final Function<Q, ? extends Collection<?>> keys;
    private final Function<List<Q>, Uni<Function<Q, A>>> write;
    /** Guarded by itself, as are the two fields below. */
    private final ArrayDeque<Waiter<Q, A>> waiting = new ArrayDeque<>();
    /** The keys of all batches in progress. */
    private final Set<Object> keysUnderWay = new HashSet<>();

    private int underWay;
    /** Calls of {@link #writeNext} since the current thread entered it. */
    private final AtomicInteger calls = new AtomicInteger();

    /** Creates an object that runs one batch at a time. */
    public Batches(
            int togetherMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this(togetherMax, 1, writeMax, keys, write);
    }

    /**
     * @param togetherMax maximum callers in one batch
     * @param atOnceMax maximum batches at a time
     * @param writeMax time limit of a batch
     * @param keys returns keys that must be unique in the batches in progress; callers with a common key are served
     *     in order
     * @param write writes a batch, and returns a function from request to response
     */
    public Batches(
            int togetherMax,
            int atOnceMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this.togetherMax = togetherMax;
        this.atOnceMax = atOnceMax;
        this.writeMax = writeMax;
        this.keys = keys;
        this.write = write;
    }

    private record Waiter<Q, A>(Q asked, UniEmitter<? super A> emitter) {}

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
     * Starts as many batches as allowed; the end of one starts the next while any caller waits. Only one thread runs
     * the loop, also for threads that call meanwhile: otherwise batches that end at once would recurse as deep as there
     * are callers.
     */
    private void writeNext() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int done = 1;
        do {
            for (List<Waiter<Q, A>> next = next(); !next.isEmpty(); next = next()) {
                List<Waiter<Q, A>> together = next;
                written(together).subscribe().with(ignored -> ended(together));
            }
            done = calls.addAndGet(-done);
        } while (done > 0);
    }

    private void ended(List<Waiter<Q, A>> together) {
        synchronized (waiting) {
            underWay--;
            together.forEach(waiter -> keysUnderWay.removeAll(keys.apply(waiter.asked())));
        }
        writeNext();
    }

    /**
     * Returns the next batch. A caller that shares a key with a running batch or an earlier caller waits for a later
     * batch, and no later caller with one of its keys overtakes it.
     */
    private List<Waiter<Q, A>> next() {
        List<Waiter<Q, A>> next = new ArrayList<>();
        synchronized (waiting) {
            if (underWay == atOnceMax) {
                return next;
            }
            Set<Object> taken = new HashSet<>(keysUnderWay);
            for (Iterator<Waiter<Q, A>> all = waiting.iterator(); all.hasNext() && next.size() < togetherMax;) {
                Waiter<Q, A> waiter = all.next();
                Collection<?> own = keys.apply(waiter.asked());
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
     * Completes once every caller has its response; never fails. If the batch fails, its callers are written one by
     * one, so that one does not fail the others.
     */
    private Uni<Void> written(List<Waiter<Q, A>> together) {
        return attempt(together).onFailure().recoverWithUni(failure -> {
            if (together.size() > 1) {
                return writtenAlone(together);
            }
            fail(together.getFirst(), failure);
            return Uni.createFrom().voidItem();
        });
    }

    /** Fails if the batch was not written; then no caller has a response. */
    private Uni<Void> attempt(List<Waiter<Q, A>> together) {
        return Uni.createFrom()
                .deferred(() -> write.apply(together.stream().map(Waiter::asked).toList()))
                .ifNoItem().after(writeMax).fail()
                .onItem().invoke(answers -> together.forEach(
                        waiter -> waiter.emitter().complete(answers.apply(waiter.asked()))))
                .replaceWithVoid();
    }

    /**
     * Writes callers one after the other. After {@value #IN_VAIN_MAX} transient failures the rest fails at once,
     * because each would wait equally long: one failure may be due to a caller's own lock or connection, several
     * concern all callers.
     */
    private Uni<Void> writtenAlone(List<Waiter<Q, A>> waiters) {
        List<Throwable> inVain = new ArrayList<>();
        return Multi.createFrom().iterable(waiters)
                .onItem().transformToUniAndConcatenate(waiter -> {
                    if (inVain.size() == IN_VAIN_MAX) {
                        waiter.emitter().fail(inVain.getLast());
                        return Uni.createFrom().voidItem();
                    }
                    return attempt(List.of(waiter)).onFailure().recoverWithItem(failure -> {
                        if (SqlFault.of(failure).isPassing()) {
                            inVain.add(failure);
                        }
                        fail(waiter, failure);
                        return null;
                    });
                })
                .onItem().ignoreAsUni();
    }

    /**
     * Fails a caller. If it was not granted a lock, also fails the waiting callers that have all its keys, because each
     * would wait for the lock in turn. Callers with only some of the keys may not need that lock.
     */
    private void fail(Waiter<Q, A> waiter, Throwable failure) {
        List<Waiter<Q, A>> alike = new ArrayList<>(List.of(waiter));
        if (SqlFault.LOCKED.isIn(failure)) {
            Collection<?> own = keys.apply(waiter.asked());
            synchronized (waiting) {
                waiting.removeIf(each -> keys.apply(each.asked()).containsAll(own) && alike.add(each));
            }
        }
        alike.forEach(each -> each.emitter().fail(failure));
    }
}
