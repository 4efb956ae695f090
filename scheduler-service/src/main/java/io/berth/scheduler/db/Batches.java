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
import java.util.function.Function;

/**
 * Work of callers that wait for it, written together: what comes while a statement is under way shares the next one, and
 * so its commit. One at a time, and a lone caller never waits for company. Nothing here bounds how many wait: callers are
 * requests under way, which are. Any thread may call; the answer comes on the caller's Vert.x context.
 *
 * @param <Q> what a caller asks for
 * @param <A> what it is answered; never null
 */
public final class Batches<Q, A> {
    /** Callers of a batch that may each wait for the database in vain, one after the other. */
    private static final int IN_VAIN_MAX = 2;

    private final int togetherMax;
    private final Duration writeMax;
    private final Function<Q, ? extends Collection<?>> keys;
    private final Function<List<Q>, Uni<Function<Q, A>>> write;
    /** Guarded by itself, and so is writing. */
    private final ArrayDeque<Waiter<Q, A>> waiting = new ArrayDeque<>();

    private boolean writing;

    /**
     * @param togetherMax callers of one batch
     * @param writeMax how long a batch may take
     * @param keys of which none may be twice in a batch; callers with a key in common are served in their order
     * @param write writes a batch, and tells each caller's answer
     */
    public Batches(
            int togetherMax,
            Duration writeMax,
            Function<Q, ? extends Collection<?>> keys,
            Function<List<Q>, Uni<Function<Q, A>>> write) {
        this.togetherMax = togetherMax;
        this.writeMax = writeMax;
        this.keys = keys;
        this.write = write;
    }

    private record Waiter<Q, A>(Q asked, UniEmitter<? super A> emitter) {}

    public Uni<A> add(Q asked) {
        Uni<A> written = Uni.createFrom().emitter(emitter -> {
            boolean begin;
            synchronized (waiting) {
                waiting.add(new Waiter<>(asked, emitter));
                begin = !writing;
                writing = true;
            }
            if (begin) {
                writeNext();
            }
        });
        return written.emitOn(CallerContext.executor());
    }

    /** The end of one begins the next while anyone waits. */
    private void writeNext() {
        List<Waiter<Q, A>> together = next();
        if (!together.isEmpty()) {
            written(together).subscribe().with(ignored -> writeNext());
        }
    }

    /** Who has a key of one before waits for the next, and nobody with a key of theirs passes by. */
    private List<Waiter<Q, A>> next() {
        List<Waiter<Q, A>> next = new ArrayList<>();
        Set<Object> taken = new HashSet<>();
        synchronized (waiting) {
            for (Iterator<Waiter<Q, A>> all = waiting.iterator(); all.hasNext() && next.size() < togetherMax;) {
                Waiter<Q, A> waiter = all.next();
                Collection<?> own = keys.apply(waiter.asked());
                if (Collections.disjoint(own, taken)) {
                    next.add(waiter);
                    all.remove();
                }
                taken.addAll(own);
            }
            writing = !next.isEmpty();
        }
        return next;
    }

    /** Every waiter has its answer when this completes; never fails. One that cannot be written fails nobody else. */
    private Uni<Void> written(List<Waiter<Q, A>> together) {
        return attempt(together).onFailure().recoverWithUni(failure -> {
            if (together.size() > 1) {
                return writtenAlone(together);
            }
            together.getFirst().emitter().fail(failure);
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
                    Uni<Void> written = inVain.size() < IN_VAIN_MAX
                            ? attempt(List.of(waiter))
                            : Uni.createFrom().failure(inVain.getLast());
                    return written.onFailure().recoverWithItem(failure -> {
                        if (SqlFault.of(failure).isPassing()) {
                            inVain.add(failure);
                        }
                        waiter.emitter().fail(failure);
                        return null;
                    });
                })
                .onItem().ignoreAsUni();
    }
}
