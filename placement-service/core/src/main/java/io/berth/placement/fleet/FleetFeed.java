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
 * Holds this replica's {@link FleetView}, and brings it up to date before each use ({@link SnapshotFeed}): a catch-up
 * reads the changes since the view, a full load reads all tables. Thread-safe; results arrive on the caller's Vert.x
 * context.
 */
@Singleton
public final class FleetFeed {
    /** The interval at which the view is brought up to date without requests. */
    private static final Duration KEEP_UP_INTERVAL = Duration.ofSeconds(1);
    /** The longest duration of a catch-up or a full load; beyond it, the request fails. */
    private static final Duration READ_MAX = Duration.ofSeconds(30);
    /**
     * If a read fails after more than this time, and not with an error that the server reports, the database counts as
     * hanging.
     */
    private static final Duration HANGING_AFTER = Duration.ofSeconds(2);

    private final HangingDatabase database;
    private final SnapshotFeed<FleetStore.LoadedFleet> feed;

    @Inject
    FleetFeed(FleetStore store, HangingDatabase database, FleetMetrics metrics, Vertx vertx) {
        // The feed needs a context of its own, because beans are created on a thread that is not an event loop.
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
        /** The latest view, with which a full load shares all unchanged objects. */
        private volatile FleetView latestView = FleetView.empty();

        Source(FleetStore store, HangingDatabase database, FleetMetrics metrics) {
            this.store = store;
            this.database = database;
            this.metrics = metrics;
        }

        @Override
        public Uni<FleetStore.LoadedFleet> read() {
            return store.load(latestView).ifNoItem().after(READ_MAX).fail();
        }

        @Override
        public Uni<FleetStore.LoadedFleet> catchUp(FleetStore.LoadedFleet present) {
            return store.catchUp(present).ifNoItem().after(READ_MAX).fail();
        }

        /**
         * Records the result of a read. Returns whether the database hangs. If it does, the requests that wait for the
         * next read fail at once, instead of waiting for another timeout.
         */
        @Override
        public boolean onReadEnd(
                long startNanos, @Nullable FleetStore.LoadedFleet loaded, @Nullable Throwable failure) {
            metrics.recordRead(startNanos, loaded);
            latestView = loaded == null ? latestView : loaded.view();
            if (failure == null) {
                database.recordResponse();
            } else if (isHang(failure, startNanos)) {
                database.recordHang();
            }
            return database.hangs();
        }

        /**
         * Returns whether the query got no response. An error that the server reports is a response, even after a long
         * time.
         */
        private static boolean isHang(Throwable failure, long startNanos) {
            return System.nanoTime() - startNanos > HANGING_AFTER.toNanos() && !(failure instanceof PgException);
        }
    }

    /** Begins to load the fleet, so that the first request need not. If the load fails, {@link #keepUp} repeats it. */
    void start(@Observes StartupEvent event, Recurring recurring) {
        fresh().subscribe().with(view -> {}, failure -> {});
        recurring.every(KEEP_UP_INTERVAL, this::keepUp, "fleet not brought up to date");
    }

    /**
     * Brings the view up to date, for two reasons: on an idle replica, the next request then finds few changes; and the
     * read detects that the database hangs or responds again.
     */
    private Uni<Void> keepUp() {
        return feed.fresh().replaceWithVoid().onFailure().recoverWithNull();
    }

    /**
     * Returns a view that shows every transaction that committed before this call. Fails if the read fails or takes
     * more than 30 seconds, or if too many callers wait ({@link SnapshotFeed#fresh}). Fails at once while the database
     * {@linkplain HangingDatabase hangs}.
     */
    public Uni<FleetView> fresh() {
        return Uni.createFrom().deferred(() -> database.hangs()
                ? Uni.createFrom().failure(HangingDatabase.refusal())
                : feed.fresh().map(FleetStore.LoadedFleet::view));
    }
}
