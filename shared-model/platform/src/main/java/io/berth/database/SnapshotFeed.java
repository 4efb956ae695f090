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
 * Keeps a snapshot of the database's content in memory, and brings it up to date before each use: a caller gets a
 * snapshot that shows every transaction committed before the call. Only one read runs at a time. Callers that arrive
 * during a read share the next one, so that the cost per caller falls as the load rises. Thread-safe; the result
 * arrives on the caller's Vert.x context.
 *
 * @param <S> the type of a snapshot; immutable
 */
public final class SnapshotFeed<S> {
    /**
     * Maximum number of callers that wait for one read; further callers fail at once. A small request with its
     * connection takes about 11 KB of heap, so 10,000 of them take about 110 MB. Large heads and bodies have budgets of
     * their own ({@code io.berth.http}).
     */
    static final int WAITERS_MAX = 10_000;

    /** Reads snapshots. Calls of its methods never overlap. */
    public interface Source<S> {
        /** Reads all data. */
        Uni<S> read();

        /**
         * Reads the changes since {@code heldSnapshot}, and emits a snapshot that includes them. Emits null if all data
         * must be read.
         */
        Uni<S> catchUp(S heldSnapshot);

        /**
         * Called at the end of each read.
         *
         * @param beganNanos {@link System#nanoTime} at the start of the read
         * @param snapshot null if the read failed
         * @return whether a failure of this read also fails the callers that wait for the next read; ignored if the
         *         read succeeded
         */
        boolean onReadEnd(long beganNanos, @Nullable S snapshot, @Nullable Throwable failure);
    }

    private final Source<S> source;
    private final @Nullable Context readContext;
    private final Object lock = new Object();
    private List<Waiter<S>> nextWaiters = new ArrayList<>();
    private boolean isReading;
    private @Nullable S heldSnapshot;

    /**
     * @param readContext the context on which reads start, so that its event loop owns the connection and processes the
     *         database's results; only the delivery to a caller moves to the caller's event loop. Null for the context
     *         of the first waiting caller. A read that follows another one at once starts on the thread on which that
     *         read ended
     */
    public SnapshotFeed(Source<S> source, @Nullable Context readContext) {
        this.source = source;
        this.readContext = readContext;
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
     * Returns a snapshot that shows every transaction committed before the subscription. Fails with the failure of its
     * read; with that of the previous read, if {@link Source#onReadEnd} decides so; or with {@link DatabaseUnavailable}
     * if too many callers wait.
     */
    public Uni<S> fresh() {
        return Uni.createFrom().emitter(emitter -> {
            var waiter = new Waiter<S>(emitter, CallerContext.executor());
            boolean beginsRead = false;
            boolean isFull = false;
            synchronized (lock) {
                if (nextWaiters.size() >= WAITERS_MAX) {
                    isFull = true;
                } else {
                    nextWaiters.add(waiter);
                    beginsRead = !isReading;
                    isReading = true;
                }
            }
            if (isFull) {
                waiter.answer(null, new DatabaseUnavailable(
                        "does not answer: the limit of callers that wait for one read is reached: " + WAITERS_MAX));
            } else if (beginsRead && readContext != null) {
                readContext.runOnContext(ignored -> read());
            } else if (beginsRead) {
                read();
            }
        });
    }

    private void read() {
        List<Waiter<S>> waiters;
        S base;
        synchronized (lock) {
            waiters = nextWaiters;
            nextWaiters = new ArrayList<>();
            base = heldSnapshot;
        }
        long beganNanos = System.nanoTime();
        Uni.createFrom()
                .deferred(() -> base == null
                        ? source.read()
                        : source.catchUp(base).onItem().ifNull().switchTo(source::read))
                .subscribe().with(
                        snapshot -> deliver(waiters, snapshot, null, source.onReadEnd(beganNanos, snapshot, null)),
                        failure -> deliver(waiters, null, failure, source.onReadEnd(beganNanos, null, failure)));
    }

    /**
     * Delivers the result of a read, and starts the next read if callers wait.
     *
     * @param failsNextToo the result of {@link Source#onReadEnd}: whether a failure also fails the callers that wait
     *         for the next read
     */
    private void deliver(
            List<Waiter<S>> served, @Nullable S snapshot, @Nullable Throwable failure, boolean failsNextToo) {
        List<Waiter<S>> finished = new ArrayList<>(served);
        boolean hasWaiters;
        synchronized (lock) {
            if (failure != null && failsNextToo) {
                finished.addAll(nextWaiters);
                nextWaiters = new ArrayList<>();
            }
            // A snapshot survives an outage of the database, because Source.catchUp checks whether the server is the
            // same. After any other failure, all data is read again.
            heldSnapshot = failure != null && SqlFault.UNREACHABLE.isKindOf(failure) ? heldSnapshot : snapshot;
            hasWaiters = !nextWaiters.isEmpty();
            isReading = hasWaiters;
        }
        finished.forEach(waiter -> waiter.answer(snapshot, failure));
        if (hasWaiters) {
            read();
        }
    }
}
