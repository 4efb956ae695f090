package io.berth.database;

import io.berth.context.CallerContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Keeps a snapshot of a database's content, and proves it fresh before handing it out: a caller gets a snapshot that
 * shows every transaction committed before the call. Callers that arrive during a read share the next one, so that only
 * one read runs at a time, and the cost per caller falls as load rises. Thread-safe; the result arrives on the caller's
 * Vert.x context.
 *
 * @param <S> a snapshot, which never changes
 */
public final class SnapshotFeed<S> {
    /**
     * The number of callers that may wait for one read; further callers fail at once. A small request with its
     * connection takes about 11 KB; memory of heads and bodies beyond that has budgets of its own (io.berth.http).
     */
    static final int WAITERS_MAX = 10_000;

    /** Reads snapshots. Its reads never overlap. */
    public interface Source<S> {
        /** Reads everything. */
        Uni<S> read();

        /**
         * Reads the changes since the held snapshot and applies them to it. Returns null if everything must be read.
         */
        Uni<S> catchUp(S held);

        /**
         * Is called at the end of each read.
         *
         * @param beganNanos {@link System#nanoTime} at the begin of the read
         * @param snapshot null if the read failed
         * @return whether a failure also applies to the callers that wait for the next read
         */
        boolean ended(long beganNanos, @Nullable S snapshot, @Nullable Throwable failure);
    }

    private final Source<S> source;
    private final @Nullable Context reader;
    private final Object lock = new Object();
    private List<Waiter<S>> next = new ArrayList<>();
    private boolean reading;
    private @Nullable S held;

    /**
     * @param reader the context on which reads begin, and which therefore owns their connection, so that a result
     *         crosses to another event loop only once, to the callers there. Null: the context of the first waiting
     *         caller
     */
    public SnapshotFeed(Source<S> source, @Nullable Context reader) {
        this.source = source;
        this.reader = reader;
    }

    private record Waiter<S>(UniEmitter<? super S> emitter, Executor caller) {
        void answer(@Nullable S snapshot, @Nullable Throwable failure) {
            caller.execute(() -> {
                if (failure == null) {
                    emitter.complete(snapshot);
                } else {
                    emitter.fail(failure);
                }
            });
        }
    }

    /**
     * Returns a snapshot that is proven fresh. Fails with the read's failure, or with {@link DatabaseUnavailable} if
     * too many callers wait.
     */
    public Uni<S> fresh() {
        return Uni.createFrom().emitter(emitter -> {
            var waiter = new Waiter<S>(emitter, CallerContext.executor());
            boolean begin = false;
            boolean refused = false;
            synchronized (lock) {
                if (next.size() >= WAITERS_MAX) {
                    refused = true;
                } else {
                    next.add(waiter);
                    begin = !reading;
                    reading = true;
                }
            }
            if (refused) {
                waiter.answer(null, new DatabaseUnavailable("does not answer: too many wait for the same read: " + WAITERS_MAX));
            } else if (begin && reader != null) {
                reader.runOnContext(ignored -> read());
            } else if (begin) {
                read();
            }
        });
    }

    private void read() {
        List<Waiter<S>> served;
        S from;
        synchronized (lock) {
            served = next;
            next = new ArrayList<>();
            from = held;
        }
        long beganNanos = System.nanoTime();
        Uni.createFrom()
                .deferred(() -> from == null
                        ? source.read()
                        : source.catchUp(from).onItem().ifNull().switchTo(source::read))
                .subscribe().with(
                        snapshot -> ended(served, snapshot, null, source.ended(beganNanos, snapshot, null)),
                        failure -> ended(served, null, failure, source.ended(beganNanos, null, failure)));
    }

    /** Ends a read, and begins the next one if callers wait. */
    private void ended(
            List<Waiter<S>> served, @Nullable S snapshot, @Nullable Throwable failure, boolean isOfAll) {
        List<Waiter<S>> ended = new ArrayList<>(served);
        boolean again;
        synchronized (lock) {
            if (failure != null && isOfAll) {
                ended.addAll(next);
                next = new ArrayList<>();
            }
            // After an outage the held snapshot is kept: the next read checks whether it reaches the same server. After
            // any other failure everything is read again.
            held = failure != null && SqlFault.AWAY.isIn(failure) ? held : snapshot;
            again = !next.isEmpty();
            reading = again;
        }
        ended.forEach(waiter -> waiter.answer(snapshot, failure));
        if (again) {
            read();
        }
    }
}
