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
 * Work of callers that wait for it, written together: what comes while a statement is under way shares the next one, and
 * so its commit. One batch at a time, or a few, and a lone caller never waits for company. Nothing here bounds how many
 * wait: callers are requests under way, which are. Any thread may call; the answer comes on the caller's Vert.x context.
 *
 * @param <Q> what a caller asks for
 * @param <A> what it is answered; never null
 */
public final class Batches<Q, A> {
    /** Callers of a batch that may each wait for the database in vain, one after the other. */
    private static final int IN_VAIN_MAX = 2;

    private final int togetherMax;
    private final int atOnceMax;
    private final Duration writeMax;
    private final Function<Q, ? extends Collection<?>> keys;
    private final Function<List<Q>, Uni<Function<Q, A>>> write;
    /** Guarded by itself, and so are the two below. */
    private final ArrayDeque<Waiter<Q, A>> waiting = new ArrayDeque<>();
    /** Of all batches under way. */
    private final Set<Object> keysUnderWay = new HashSet<>();

    private int underWay;
    /** Of {@link #writeNext}, since somebody is at it. */
    private final AtomicInteger calls = new AtomicInteger();

    /** One batch at a time. */
    public Batches(
            int togetherMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this(togetherMax, 1, writeMax, keys, write);
    }

    /**
     * @param togetherMax callers of one batch
     * @param atOnceMax batches at a time
     * @param writeMax how long a batch may take
     * @param keys of which none may be twice in the batches under way; callers with a key in common are served in their order
     * @param write writes a batch, and tells each caller's answer
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
     * As many as may be under way; the end of one begins the next while anyone waits. Whoever is at it does it for all who
     * call meanwhile: ends that come at once would call each other, as deep as there are callers.
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

    /** Who has a key of one before waits for the next, and nobody with a key of theirs passes by. */
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

    /** Every waiter has its answer when this completes; never fails. One that cannot be written fails nobody else. */
    private Uni<Void> written(List<Waiter<Q, A>> together) {
        return attempt(together).onFailure().recoverWithUni(failure -> {
            if (together.size() > 1) {
                return writtenAlone(together);
            }
            fail(together.getFirst(), failure);
            return Uni.createFrom().voidItem();
        });
    }

    /** Fails where it was not written, and then nobody has an answer. */
    private Uni<Void> attempt(List<Waiter<Q, A>> together) {
        return Uni.createFrom()
                .deferred(() -> write.apply(together.stream().map(Waiter::asked).toList()))
                .ifNoItem().after(writeMax).fail()
                .onItem().invoke(answers -> together.forEach(
                        waiter -> waiter.emitter().complete(answers.apply(waiter.asked()))))
                .replaceWithVoid();
    }

    /**
     * One after the other. What keeps the database from it fails the rest at once: they would wait for as long each. To one
     * it may be its own lock, which somebody holds, or its connection; to {@value #IN_VAIN_MAX}, it is all's.
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
     * Who waits with all the keys of one that was not granted a lock would wait for it as long, one after the other. With
     * some of them it may not be theirs.
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
