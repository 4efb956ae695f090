package io.berth.placement.fleet;

import io.berth.database.DatabaseUnavailable;
import io.berth.placement.db.HangingDatabase;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps this replica's {@link FleetView} and proves it fresh before handing it out.
 *
 * <p>{@link #fresh} asks the database for what changed since the snapshot held; callers that arrive while such a
 * question is under way share the next one, so the cost per caller falls as load rises. Any thread may call; the
 * answer comes on the caller's Vert.x context.
 */
@Singleton
public final class FleetFeed {
    private static final Duration QUESTION_MAX = Duration.ofSeconds(30);
    /** A question that fails after more than this was not refused, it was swallowed. */
    private static final Duration REFUSAL_MAX = Duration.ofSeconds(2);
    /** Callers that may wait for one question; beyond it they fail at once. */
    private static final int WAITERS_MAX = 10_000;

    private final FleetStore store;
    private final HangingDatabase database;
    private final FleetMetrics metrics;
    /**
     * Where questions are asked, and so where their connection lives: an answer crosses from one event loop to another
     * once, to those who wait there. Null: wherever the first of those who wait is.
     */
    private final @Nullable Context asker;
    private final Object lock = new Object();
    private FleetStore.Loaded held;
    private List<Waiter> next = new ArrayList<>();
    private boolean asking;

    private record Waiter(UniEmitter<? super FleetView> emitter, Context context) {
        void answer(FleetView view, Throwable failure) {
            if (context == null) {
                emit(view, failure);
            } else {
                context.runOnContext(ignored -> emit(view, failure));
            }
        }

        private void emit(FleetView view, Throwable failure) {
            if (failure == null) {
                emitter.complete(view);
            } else {
                emitter.fail(failure);
            }
        }
    }

    @Inject
    FleetFeed(FleetStore store, HangingDatabase database, FleetMetrics metrics, Vertx vertx) {
        // Beans are made by a thread that is no event loop: a context of its own.
        this(store, database, metrics, vertx.getOrCreateContext());
    }

    FleetFeed(FleetStore store) {
        this(store, new HangingDatabase(), FleetMetrics.none(), (Context) null);
    }

    private FleetFeed(FleetStore store, HangingDatabase database, FleetMetrics metrics, @Nullable Context asker) {
        this.store = store;
        this.database = database;
        this.metrics = metrics;
        this.asker = asker;
    }

    /** The first load happens at start, so that the first request does not pay for it; a failure is tried again by it. */
    void start(@Observes StartupEvent event) {
        fresh().subscribe().with(view -> {}, failure -> {});
    }

    /**
     * Keeps an idle replica near the present, so that its next question is small; and finds out whether the database
     * hangs.
     */
    @Scheduled(every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> keepUp() {
        return askedNext().replaceWithVoid().onFailure().recoverWithNull();
    }

    /**
     * A view that shows every transaction committed before this call. Fails when the database does not answer
     * within 30 seconds, and at once while it {@linkplain HangingDatabase hangs}.
     */
    public Uni<FleetView> fresh() {
        return Uni.createFrom().deferred(() ->
                database.hangs() ? Uni.createFrom().failure(HangingDatabase.refusal()) : askedNext());
    }

    private Uni<FleetView> askedNext() {
        return Uni.createFrom().emitter(emitter -> {
            var waiter = new Waiter(emitter, Vertx.currentContext());
            boolean ask = false;
            boolean refused = false;
            synchronized (lock) {
                if (next.size() >= WAITERS_MAX) {
                    refused = true;
                } else {
                    next.add(waiter);
                    ask = !asking;
                    asking = true;
                }
            }
            if (refused) {
                waiter.answer(null, new DatabaseUnavailable("too many wait for the fleet: " + WAITERS_MAX));
            } else if (ask && asker != null) {
                asker.runOnContext(_ -> ask());
            } else if (ask) {
                ask();
            }
        });
    }

    /** Only one question is under way at a time; its answer starts the next while anyone waits. */
    private void ask() {
        List<Waiter> served;
        FleetStore.Loaded from;
        synchronized (lock) {
            served = next;
            next = new ArrayList<>();
            from = held;
        }
        long askedNanos = System.nanoTime();
        question(from).ifNoItem().after(QUESTION_MAX).fail()
                .onItemOrFailure().invoke((loaded, failure) -> metrics.answered(askedNanos, loaded))
                .subscribe().with(
                        loaded -> {
                            database.answers();
                            answered(served, loaded, null);
                        },
                        failure -> {
                            if (wasSwallowed(failure, askedNanos)) {
                                database.hasHung();
                            }
                            answered(served, null, failure);
                        });
    }

    /** What the server says by itself, late as it may be, is no silence. */
    private static boolean wasSwallowed(Throwable failure, long askedNanos) {
        return System.nanoTime() - askedNanos > REFUSAL_MAX.toNanos() && !(failure instanceof PgException);
    }

    private Uni<FleetStore.Loaded> question(FleetStore.Loaded from) {
        if (from == null) {
            return store.load();
        }
        return store.catchUp(from).chain(caughtUp -> caughtUp == null ? store.load() : Uni.createFrom().item(caughtUp));
    }

    private void answered(List<Waiter> served, FleetStore.Loaded loaded, Throwable failure) {
        List<Waiter> told = new ArrayList<>(served);
        boolean again;
        synchronized (lock) {
            if (database.hangs()) {
                // Those for the next question would learn the same, after another silence.
                told.addAll(next);
                next = new ArrayList<>();
            }
            // After a failure nobody knows what the connection was: reload.
            held = loaded;
            again = !next.isEmpty();
            asking = again;
        }
        for (Waiter waiter : told) {
            waiter.answer(loaded == null ? null : loaded.view(), failure);
        }
        if (again) {
            ask();
        }
    }
}
