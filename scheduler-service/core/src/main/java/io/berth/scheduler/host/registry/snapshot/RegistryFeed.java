package io.berth.scheduler.host.registry.snapshot;

import io.berth.context.CallerContext;
import io.berth.database.SnapshotFeed;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.host.registry.RecordCollection;
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
 * Maintains this replica's {@link RegistrySnapshot}. Before the feed returns the snapshot, it reads all changes that
 * were committed in Berth's database before the call ({@link SnapshotFeed}). If a foreign {@link RegistrySource} owns
 * the hosts, their records come from that source ({@link RegistrySource#current}); server groups with their
 * reservations, and instances that the source does not have yet, come from Berth's own database. Thread-safe.
 */
@Singleton
public class RegistryFeed {
    /** Instances of the merged registry may use 1/8 of the heap; further instances are omitted. */
    private static final int HEAP_DIVISOR = 8;
    /** Collections that Berth's own records contribute if hosts come from another source. */
    private static final Set<RecordCollection> OWN_COLLECTIONS =
            Set.of(RecordCollection.SERVER_GROUPS, RecordCollection.INSTANCES);

    private final Source ownSource;
    private final SnapshotFeed<RegistryFeedStore.ReadRegistry> feed;
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
        joined = new JoinedRegistry(Runtime.getRuntime().maxMemory() / HEAP_DIVISOR, source.ownBuildsCounted());
    }

    private static final class Source implements SnapshotFeed.Source<RegistryFeedStore.ReadRegistry> {
        private final RegistryFeedStore store;
        private final RegistryMetrics metrics;
        /** The last snapshot; null before the first. A complete read reuses its unchanged records. */
        private volatile @Nullable RegistrySnapshot lastSnapshot;
        /**
         * Start of the first failed read after the last successful one, by {@link System#nanoTime}; null if the last
         * read succeeded.
         */
        private volatile @Nullable Long failingSinceNanos;

        Source(RegistryFeedStore store, RegistryMetrics metrics) {
            this.store = store;
            this.metrics = metrics;
        }

        @Override
        public Uni<RegistryFeedStore.ReadRegistry> read() {
            RegistrySnapshot known = lastSnapshot;
            return withOutage(known == null ? store.readEverything() : store.readEverything(known));
        }

        @Override
        public Uni<RegistryFeedStore.ReadRegistry> catchUp(RegistryFeedStore.ReadRegistry held) {
            // Null: everything is read again, because omitted instances may fit now.
            return held.registry().hasRoomForOmittedInstances()
                    ? Uni.createFrom().nullItem()
                    : withOutage(store.catchUp(held));
        }

        /** Adds to the registry for how long reads have failed ({@link RegistrySnapshot#afterOutage}), if they have. */
        private Uni<RegistryFeedStore.ReadRegistry> withOutage(Uni<RegistryFeedStore.ReadRegistry> read) {
            return read.map(readRegistry -> {
                Long since = failingSinceNanos;
                return since == null
                        ? readRegistry
                        : readRegistry.afterOutage(Duration.ofNanos(System.nanoTime() - since));
            });
        }

        @Override
        public boolean onReadEnd(long beganNanos, @Nullable RegistryFeedStore.ReadRegistry readRegistry,
                @Nullable Throwable failure) {
            if (readRegistry != null) {
                lastSnapshot = readRegistry.registry();
                failingSinceNanos = null;
            } else if (failingSinceNanos == null) {
                failingSinceNanos = beganNanos;
            }
            metrics.recordRead(beganNanos, readRegistry != null);
            return false;
        }
    }

    /**
     * Returns a snapshot with every change that was committed in Berth's database before the call, and with the records
     * of a foreign source as recent as {@link RegistrySource#current} states. Fails if Berth's database or the whole
     * source does not respond.
     */
    public Uni<RegistrySnapshot> current() {
        Uni<RegistrySnapshot> own = feed.fresh().map(RegistryFeedStore.ReadRegistry::registry);
        Uni<RegistrySnapshot> whole = source.isForeign()
                ? Uni.combine().all().unis(source.current(), own)
                        .with((layers, ownRegistry) -> {
                            ownRecords = ownRegistry;
                            // The set of collections also serves as the name of the layer.
                            return layers.over(new RegistryLayers.Layer(OWN_COLLECTIONS, ownRegistry, OWN_COLLECTIONS));
                        })
                        .chain(this::merge)
                : own;
        return whole.invoke(registry -> {
            lastSnapshot = registry;
            metrics.recordSize(registry);
            heap.setRegisteredBytes(registry.bytes());
        });
    }

    /** Reads only Berth's own database. Never fails. */
    Uni<Void> readOwn() {
        return feed.fresh().replaceWithVoid().onFailure().recoverWithNull();
    }

    /** Returns whether the last read of Berth's own database failed. */
    boolean isDatabaseAway() {
        return ownSource.failingSinceNanos != null;
    }

    /** Returns the last snapshot without reading changes; null before the first snapshot. */
    public @Nullable RegistrySnapshot lastSnapshot() {
        return lastSnapshot;
    }

    /**
     * Returns the instances whose host in Berth's own records is not their host in {@code registry}, among those that
     * both have; none if Berth owns the hosts.
     *
     * @param instances uuids as text; other texts are ignored
     */
    public Set<UUID> movedMembers(Set<String> instances, RegistrySnapshot registry) {
        if (!source.isForeign()) {
            return Set.of();
        }
        RegistrySnapshot recorded = ownRecords;
        return instances.stream().map(Uuids::find).filter(Objects::nonNull).filter(uuid -> {
            RegisteredInstance recordedInstance = recorded.findInstance(uuid);
            RegisteredInstance reportedInstance = registry.findInstance(uuid);
            return recordedInstance != null && reportedInstance != null
                    && !recordedInstance.host().equals(reportedInstance.host());
        }).collect(Collectors.toSet());
    }

    /** Returns {@link #current}, or the last snapshot if {@link #current} fails. Fails if there is no last snapshot. */
    public Uni<RegistrySnapshot> currentOrLast() {
        return current().onFailure().recoverWithUni(failure -> {
            RegistrySnapshot last = lastSnapshot;
            return last == null ? Uni.createFrom().failure(failure) : Uni.createFrom().item(last);
        });
    }

    /**
     * Returns {@link #current} for a health check. If {@link #current} exceeds the time limit only because parts of the
     * source, such as a cell's database, do not respond, returns the last snapshot and the names of these parts, once
     * Berth's database has responded in time. (Decisions wait longer for these parts.)
     *
     * @param timeMax time limit of each of the two reads; fails with TimeoutException if Berth's database or the whole
     *     source exceeds it
     */
    Uni<Checked> check(Duration timeMax) {
        return current()
                .map(registry -> new Checked(registry, List.of()))
                .ifNoItem().after(timeMax).recoverWithUni(() -> {
                    List<String> silentParts = source.isForeign() ? source.silentParts() : List.of();
                    RegistrySnapshot last = lastSnapshot;
                    return silentParts.isEmpty() || last == null
                            ? Uni.createFrom().failure(new TimeoutException())
                            : feed.fresh().ifNoItem().after(timeMax).fail().replaceWith(new Checked(last, silentParts));
                });
    }

    /**
     * The result of a health check.
     *
     * @param silentParts parts of the source that do not respond; the snapshot has the last records that were read from
     *     them
     */
    record Checked(RegistrySnapshot registry, List<String> silentParts) {}

    /** Merges layers, on a worker thread if many records changed, for example when a cell is added or removed. */
    private Uni<RegistrySnapshot> merge(RegistryLayers layers) {
        return joined.isQuick(layers)
                ? Uni.createFrom().item(joined.of(layers))
                : Uni.createFrom().item(() -> joined.of(layers))
                        .runSubscriptionOn(Infrastructure.getDefaultExecutor())
                        .emitOn(CallerContext.executor());
    }
}
