package io.berth.placement.fleet;

import io.berth.context.Recurring;
import io.berth.database.SnapshotFeed;
import io.berth.placement.db.HangingDatabase;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Keeps this replica's {@link FleetView} and proves it fresh before handing it out ({@link SnapshotFeed}). Thread-safe;
 * a result arrives on the caller's Vert.x context.
 */
@Singleton
public final class FleetFeed {
    private static final Duration KEEP_UP_EVERY = Duration.ofSeconds(1);
    private static final Duration QUESTION_MAX = Duration.ofSeconds(30);
    /** A query that fails after more than this counts as one without a response, not as refused. */
    private static final Duration REFUSAL_MAX = Duration.ofSeconds(2);

    private final HangingDatabase database;
    private final SnapshotFeed<FleetStore.LoadedFleet> feed;

    @Inject
    FleetFeed(FleetStore store, HangingDatabase database, FleetMetrics metrics, Vertx vertx) {
        // Beans are created on a thread that is not an event loop, so the feed gets a context of its own.
        this(store, database, metrics, vertx.getOrCreateContext());
    }

    FleetFeed(FleetStore store) {
        this(store, new HangingDatabase(), FleetMetrics.none(), (Context) null);
    }

    private FleetFeed(FleetStore store, HangingDatabase database, FleetMetrics metrics, @Nullable Context reader) {
        this.database = database;
        this.feed = new SnapshotFeed<>(new Source(store, database, metrics), reader);
    }

    private static final class Source implements SnapshotFeed.Source<FleetStore.LoadedFleet> {
        private final FleetStore store;
        private final HangingDatabase database;
        private final FleetMetrics metrics;
        /** The last view; a fleet that is read again shares with it what did not change. */
        private volatile FleetView last = FleetView.empty();

        Source(FleetStore store, HangingDatabase database, FleetMetrics metrics) {
            this.store = store;
            this.database = database;
            this.metrics = metrics;
        }

        @Override
        public Uni<FleetStore.LoadedFleet> read() {
            return store.load(last).ifNoItem().after(QUESTION_MAX).fail();
        }

        @Override
        public Uni<FleetStore.LoadedFleet> catchUp(FleetStore.LoadedFleet held) {
            return store.catchUp(held).ifNoItem().after(QUESTION_MAX).fail();
        }

        /**
         * Returns whether the callers that wait for the next read fail, too. They do while the database hangs, because
         * they would only wait for another timeout.
         */
        @Override
        public boolean ended(long beganNanos, @Nullable FleetStore.LoadedFleet loaded, @Nullable Throwable failure) {
            metrics.answered(beganNanos, loaded);
            last = loaded == null ? last : loaded.view();
            if (failure == null) {
                database.answers();
            } else if (wasSwallowed(failure, beganNanos)) {
                database.hasHung();
            }
            return database.hangs();
        }

        /**
         * Returns whether the query got no response. A failure that the server itself reports is a response, however
         * late.
         */
        private static boolean wasSwallowed(Throwable failure, long beganNanos) {
            return System.nanoTime() - beganNanos > REFUSAL_MAX.toNanos() && !(failure instanceof PgException);
        }
    }

    /**
     * Loads the fleet at start, so that the first request does not wait for it. If that fails, the first request tries
     * again.
     */
    void start(@Observes StartupEvent event, Recurring recurring) {
        fresh().subscribe().with(view -> {}, failure -> {});
        recurring.every(KEEP_UP_EVERY, this::keepUp, "fleet not kept up");
    }

    /**
     * Keeps the view of an idle replica up to date, so that its next query finds few changes; also detects whether the
     * database hangs.
     */
    private Uni<Void> keepUp() {
        return feed.fresh().replaceWithVoid().onFailure().recoverWithNull();
    }

    /**
     * Returns a view that shows every transaction committed before this call. Fails if the database does not respond
     * within 30 seconds, and at once while it {@linkplain HangingDatabase hangs}.
     */
    public Uni<FleetView> fresh() {
        return Uni.createFrom().deferred(() -> database.hangs()
                ? Uni.createFrom().failure(HangingDatabase.refusal())
                : feed.fresh().map(FleetStore.LoadedFleet::view));
    }
}
