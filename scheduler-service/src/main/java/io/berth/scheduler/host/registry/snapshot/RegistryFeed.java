package io.berth.scheduler.host.registry.snapshot;

import io.berth.database.SnapshotFeed;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;

/** Keeps this replica's {@link RegistrySnapshot} and proves it fresh before handing it out ({@link SnapshotFeed}). */
@Singleton
public class RegistryFeed {
    private final SnapshotFeed<RegistryFeedStore.Picture> feed;

    RegistryFeed(RegistryFeedStore store, RegistryMetrics metrics) {
        feed = new SnapshotFeed<>(new Source(store, metrics), null);
    }

    private record Source(RegistryFeedStore store, RegistryMetrics metrics)
            implements SnapshotFeed.Source<RegistryFeedStore.Picture> {
        @Override
        public Uni<RegistryFeedStore.Picture> read() {
            return store.readEverything();
        }

        @Override
        public Uni<RegistryFeedStore.Picture> catchUp(RegistryFeedStore.Picture held) {
            return held.registry().instancesHaveRoomAgain() ? Uni.createFrom().nullItem() : store.catchUp(held);
        }

        @Override
        public boolean ended(long beganNanos, @Nullable RegistryFeedStore.Picture picture, @Nullable Throwable failure) {
            metrics.answered(beganNanos, picture == null ? null : picture.registry());
            return false;
        }
    }

    /** Holds every change committed before the call. Fails when the database does not answer. */
    public Uni<RegistrySnapshot> current() {
        return feed.fresh().map(RegistryFeedStore.Picture::registry);
    }
}
