package io.berth.scheduler.host.registry.snapshot;

import io.berth.context.CallerContext;
import io.berth.database.SnapshotFeed;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Maintains this replica's {@link RegistrySnapshot}. Before it returns the snapshot it reads all changes that were
 * committed before the call ({@link SnapshotFeed}). If a foreign {@link RegistrySource} owns the hosts, their records
 * come from that source; server groups with their reservations, and instances that the source does not have yet, come
 * from Berth's own database. Thread-safe.
 */
@Singleton
public class RegistryFeed {
    /** Instances of the merged registry may use 1/8 of the heap; further instances are omitted. */
    private static final int HEAP_PART = 8;
    /** Collections that Berth's own records contribute if hosts come from another source. */
    private static final Set<Collection> OWN = Set.of(Collection.SERVER_GROUPS, Collection.INSTANCES);

    private final Source ownSource;
    private final SnapshotFeed<RegistryFeedStore.Picture> feed;
    private final RegistrySource source;
    private final RegistryMetrics metrics;
    private final FleetHeap heap;
    private final JoinedRegistry joined;
    private volatile @Nullable RegistrySnapshot lastSnapshot;
    /** Berth's own records, the lowest layer if hosts come from another source. */
    private volatile RegistrySnapshot ownRecords = RegistrySnapshot.EMPTY;

    RegistryFeed(RegistryFeedStore store, RegistryMetrics metrics, RegistrySource source, FleetHeap heap) {
        ownSource = new Source(store, metrics);
        feed = new SnapshotFeed<>(ownSource, null);
        this.source = source;
        this.metrics = metrics;
        this.heap = heap;
        joined = new JoinedRegistry(Runtime.getRuntime().maxMemory() / HEAP_PART, source.ownBuildsCounted());
    }

    private static final class Source implements SnapshotFeed.Source<RegistryFeedStore.Picture> {
        private final RegistryFeedStore store;
        private final RegistryMetrics metrics;
        /** The last snapshot; null before the first. A complete read reuses its unchanged records. */
        private volatile @Nullable RegistrySnapshot lastSnapshot;
        /**
         * Start of the first failed read after the last successful one, by {@link System#nanoTime}; null if the last
         * read succeeded.
         */
        private volatile @Nullable Long awaySinceNanos;

        Source(RegistryFeedStore store, RegistryMetrics metrics) {
            this.store = store;
            this.metrics = metrics;
        }

        @Override
        public Uni<RegistryFeedStore.Picture> read() {
            RegistrySnapshot known = lastSnapshot;
            return noted(known == null ? store.readEverything() : store.readEverything(known));
        }

        @Override
        public Uni<RegistryFeedStore.Picture> catchUp(RegistryFeedStore.Picture held) {
            return held.registry().instancesHaveRoomAgain() ? Uni.createFrom().nullItem() : noted(store.catchUp(held));
        }

        private Uni<RegistryFeedStore.Picture> noted(Uni<RegistryFeedStore.Picture> read) {
            return read.map(picture -> {
                Long since = awaySinceNanos;
                return since == null
                        ? picture
                        : picture.afterOutage(Duration.ofNanos(System.nanoTime() - since));
            });
        }

        @Override
        public boolean onReadEnd(long beganNanos, @Nullable RegistryFeedStore.Picture picture,
                @Nullable Throwable failure) {
            if (picture != null) {
                lastSnapshot = picture.registry();
                awaySinceNanos = null;
            } else if (awaySinceNanos == null) {
                awaySinceNanos = beganNanos;
            }
            metrics.answered(beganNanos, picture != null);
            return false;
        }
    }

    /**
     * Returns a snapshot with every change that was committed before the call. Fails if Berth's database or the source
     * does not respond.
     */
    public Uni<RegistrySnapshot> current() {
        Uni<RegistrySnapshot> own = feed.fresh().map(RegistryFeedStore.Picture::registry);
        Uni<RegistrySnapshot> whole = source.isForeign()
                ? Uni.combine().all().unis(source.current(), own)
                        .with((layers, below) -> {
                            ownRecords = below;
                            return layers.over(new RegistryLayers.Layer(OWN, below, OWN));
                        })
                        .chain(this::joined)
                : own;
        return whole.invoke(registry -> {
            lastSnapshot = registry;
            metrics.holds(registry);
            heap.registered(registry.bytes());
        });
    }

    /** Reads only Berth's own database. Never fails. */
    Uni<Void> readOwn() {
        return feed.fresh().replaceWithVoid().onFailure().recoverWithNull();
    }

    /** Returns whether the last read of Berth's own database failed. */
    boolean isAway() {
        return ownSource.awaySinceNanos != null;
    }

    /** Returns the last snapshot without reading changes; null before the first snapshot. */
    public @Nullable RegistrySnapshot lastSnapshot() {
        return lastSnapshot;
    }

    /**
     * Returns those of the instances whose host in Berth's own records differs from their host in {@code registry};
     * none if Berth owns the hosts.
     *
     * @param instances uuids as text; others are ignored
     */
    public Set<UUID> elsewhere(Set<String> instances, RegistrySnapshot registry) {
        if (!source.isForeign()) {
            return Set.of();
        }
        RegistrySnapshot recorded = ownRecords;
        return instances.stream().map(Uuids::find).filter(Objects::nonNull).filter(uuid -> {
            RegisteredInstance recordedInstance = recorded.findInstance(uuid);
            RegisteredInstance reportedInstance = recordedInstance == null ? null : registry.findInstance(uuid);
            return reportedInstance != null && !recordedInstance.host().equals(reportedInstance.host());
        }).collect(Collectors.toSet());
    }

    /** Returns {@link #current}, or the last snapshot if {@link #current} fails. Fails if there is no last snapshot. */
    public Uni<RegistrySnapshot> currentOrLast() {
        return current().onFailure().recoverWithUni(failure -> {
            RegistrySnapshot known = lastSnapshot;
            return known == null ? Uni.createFrom().failure(failure) : Uni.createFrom().item(known);
        });
    }

    /**
     * Returns {@link #current} for a health check. If {@link #current} exceeds the time limit only because parts of the
     * source, such as a cell's database, do not respond, returns the last snapshot and the names of these parts.
     * Decisions wait for these parts until their own timeout.
     *
     * @param atMost time limit; fails with TimeoutException if Berth's database or the whole source exceeds it
     */
    Uni<Checked> check(Duration atMost) {
        return current()
                .map(registry -> new Checked(registry, List.of()))
                .ifNoItem().after(atMost).recoverWithUni(() -> {
                    List<String> silentParts = source.isForeign() ? source.silentParts() : List.of();
                    RegistrySnapshot known = lastSnapshot;
                    return silentParts.isEmpty() || known == null
                            ? Uni.createFrom().failure(new TimeoutException())
                            : feed.fresh().ifNoItem().after(atMost).fail().replaceWith(new Checked(known, silentParts));
                });
    }

    /** @param silentParts parts of the source that do not respond; the snapshot has their last known records */
    record Checked(RegistrySnapshot registry, List<String> silentParts) {}

    /** Merges layers, on a worker thread if many records changed, for example when a cell is added or removed. */
    private Uni<RegistrySnapshot> joined(RegistryLayers layers) {
        return joined.isQuick(layers)
                ? Uni.createFrom().item(joined.of(layers))
                : Uni.createFrom().item(() -> joined.of(layers))
                        .runSubscriptionOn(Infrastructure.getDefaultExecutor())
                        .emitOn(CallerContext.executor());
    }
}
