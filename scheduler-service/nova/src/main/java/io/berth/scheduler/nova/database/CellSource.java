package io.berth.scheduler.nova.database;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.nova.database.CellReading.CellContent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * One cell of nova: its database, and the content that was last read from it.
 *
 * <p>A decision that needs the registry (a reader) waits for a reading of changes, including retries, for at most the
 * cell timeout. Then the cell counts as unavailable: it contributes no hosts, and is queried again at most every two
 * seconds. A reader waits at most one second for an unavailable cell, and not at all if the cell is also disabled in
 * nova. Readers wait for the first reading of the whole cell; later readings of the whole cell run in the background.
 */
final class CellSource implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(CellSource.class);
    /** The minimum time between two queries of an unavailable cell. */
    private static final long RETRY_INTERVAL_NANOS = Duration.ofSeconds(2).toNanos();
    /**
     * The interval of readings of the whole cell. These find what readings of changes miss: rows that were purged, and
     * rows whose times come from a wrong clock.
     */
    static final Duration WHOLE_EVERY = Duration.ofMinutes(5);
    /** How long a reader waits at most for an unavailable cell that is not disabled. */
    private static final Duration UNAVAILABLE_WAIT = Duration.ofSeconds(1);
    /** The pause before the first retry of a failed reading; it grows with each retry. */
    private static final Duration RETRY_FIRST = Duration.ofMillis(100);
    /** The maximum pause before a retry. */
    private static final Duration RETRY_MAX = Duration.ofSeconds(1);

    private final ApiReading.Mapping mapping;
    private final Duration timeout;
    private final Duration wholeEvery;
    /** Null, as {@link #reading} is, if the cell's database URL is unusable. */
    private final @Nullable Database database;
    private final @Nullable CellReading reading;
    /** The last content; null before the first reading. */
    private volatile @Nullable CellContent lastContent;
    /**
     * The result of a background reading of the whole cell. The next reading of changes continues from this result and
     * clears it. Null if there is none.
     */
    private final AtomicReference<CellContent> wholeResult = new AtomicReference<>();
    private final AtomicBoolean isWholeReadingInProgress = new AtomicBoolean();
    /**
     * When the last reading of the whole cell began, in {@link System#nanoTime}. The initial value is so long ago that
     * a reading is due.
     */
    private volatile long wholeBeganNanos;
    /** True if the cell counts as unavailable. */
    private volatile boolean isUnavailable;
    /** True while a reading is in progress, except a background reading of the whole cell. */
    private volatile boolean isReading;
    /** When the last reading began, except a background reading of the whole cell, in {@link System#nanoTime}. */
    private volatile long beganNanos;

    /**
     * @param before the source of the same cell with its previous mapping. Its content is kept if the database still
     * has the same name. Null for a new cell
     * @param wholeEvery the interval of readings of the whole cell
     */
    CellSource(
            ApiReading.Mapping mapping, @Nullable CellSource before, NovaDatabaseConfig config,
            InventoryOptions options, Vertx vertx, InstanceRoom room, Duration wholeEvery) {
        this.mapping = mapping;
        this.wholeEvery = wholeEvery;
        wholeBeganNanos = System.nanoTime() - wholeEvery.toNanos();
        timeout = config.cellTimeout();
        Database newDatabase = null;
        try {
            newDatabase = Database.of("nova-cells", config.urlOfCell(mapping), vertx, timeout);
        } catch (IllegalArgumentException invalid) {
            LOG.errorf("cell and its hosts are left out: invalid database URL cell=%s cause=%s",
                    mapping, invalid.getMessage());
            isUnavailable = true;
        }
        database = newDatabase;
        reading = newDatabase == null ? null : new CellReading(newDatabase, mapping.uuid(), options, room);
        lastContent = before != null && newDatabase != null && before.hasSameDatabaseName(newDatabase)
                ? before.lastContent
                : null;
    }

    /**
     * Returns whether both databases have the same name. The server is not compared, because its address may change.
     */
    private boolean hasSameDatabaseName(Database other) {
        return database != null && database.url().database().equals(other.url().database());
    }

    ApiReading.Mapping mapping() {
        return mapping;
    }

    /** Returns the cell's database; empty if its URL is unusable. */
    Optional<Database> database() {
        return Optional.ofNullable(database);
    }

    /** Returns whether the cell is unavailable. */
    boolean isUnavailable() {
        return isUnavailable;
    }

    /** Returns whether a reading of this cell is in progress, for which readers wait. */
    boolean isReadingAwaited() {
        return isReading && !isUnavailable;
    }

    /** Returns the nodes, services and instances of this cell; none while the cell is unavailable. */
    RegistrySnapshot registry() {
        CellContent read = lastContent;
        return isUnavailable || read == null ? RegistrySnapshot.EMPTY : read.registry();
    }

    /**
     * Reads the changes, or the whole cell the first time. Does nothing if the cell's database URL is unusable, or if
     * the cell is unavailable and a reading is in progress or began less than two seconds ago. Never fails: a cell that
     * does not respond counts as unavailable.
     */
    Uni<Void> read() {
        if (reading == null) {
            return Uni.createFrom().voidItem();
        }
        if (!isUnavailable) {
            return startReading(reading);
        }
        if (isReading || System.nanoTime() - beganNanos <= RETRY_INTERVAL_NANOS) {
            return Uni.createFrom().voidItem();
        }
        // Waits briefly, so that this reader gets the hosts of a cell that responds again. A longer reading continues
        // in the background. Does not wait for a cell that is disabled in nova, because it may never respond again.
        Uni<Void> inProgress = startReading(reading).memoize().indefinitely();
        inProgress.subscribe().with(done -> {});
        return mapping.disabled()
                ? Uni.createFrom().voidItem()
                : inProgress.ifNoItem().after(UNAVAILABLE_WAIT).recoverWithItem((Void) null);
    }

    /**
     * Returns how far nova has brought an instance to the host: {@code NOT_WAITING} if this cell has no row of the
     * instance, {@code WAITING} if the database's URL is unusable. If the cell is both disabled and unavailable, and
     * the host is not in it, returns {@code NOT_WAITING} without a query, because nova builds no instance in a disabled
     * cell, but may move one within the cell. Fails if the database does not respond.
     */
    Uni<BuildProgress> findBuildProgress(UUID instance, String host) {
        CellContent lastRead = lastContent;
        boolean hasHost = lastRead != null && !lastRead.registry().computeNodesOf(host).isEmpty();
        if (isUnavailable && mapping.disabled() && !hasHost) {
            return Uni.createFrom().item(BuildProgress.NOT_WAITING);
        }
        return database == null
                ? Uni.createFrom().item(BuildProgress.WAITING)
                : CellReading.findBuildProgress(database, instance, host);
    }

    /**
     * Returns the host and node of each given instance, without instances that have a task, are being built or are on
     * no host of this cell. Empty if the cell is unavailable.
     */
    Uni<Map<UUID, Place>> placesWithoutOperation(Set<UUID> instances) {
        return database == null || isUnavailable
                ? Uni.createFrom().item(Map.of())
                : CellReading.placesWithoutOperation(database, instances);
    }

    /** Starts a reading, and waits for it for at most the cell timeout. */
    private Uni<Void> startReading(CellReading reading) {
        isReading = true;
        beganNanos = System.nanoTime();
        // Continues even if no reader waits any more: reading a large cell may take longer than a decision waits.
        Uni<Void> inProgress = Uni.createFrom().deferred(() -> readNext(reading))
                .onFailure().retry().withBackOff(RETRY_FIRST, RETRY_MAX).expireIn(timeout.toMillis())
                .invoke(read -> {
                    lastContent = read;
                    if (isUnavailable) {
                        isUnavailable = false;
                        LOG.infof("cell is back cell=%s", mapping);
                    }
                })
                .replaceWithVoid()
                .onFailure().recoverWithItem(failure -> markUnavailable(failure))
                .onTermination().invoke(() -> isReading = false)
                .memoize().indefinitely();
        inProgress.subscribe().with(done -> {});
        return inProgress.ifNoItem().after(timeout).recoverWithItem(() -> markUnavailable("not within " + timeout));
    }

    /**
     * Reads the changes, or the whole cell the first time, and returns the new content. Starts a background reading of
     * the whole cell if one is due.
     */
    private Uni<CellContent> readNext(CellReading reading) {
        CellContent from = lastContent;
        if (from == null) {
            wholeBeganNanos = System.nanoTime();
            return reading.readWhole(null);
        }
        readWholeInBackground(reading, from);
        CellContent all = wholeResult.get();
        return reading.readChanges(all == null ? from : all).invoke(() -> wholeResult.compareAndSet(all, null));
    }

    /**
     * Starts a reading of the whole cell in the background if one is due. It may take long, so readings of changes
     * continue meanwhile. After its end, the next reading of changes starts from its result, and so covers the time
     * since the background reading began.
     */
    private void readWholeInBackground(CellReading reading, CellContent from) {
        long now = System.nanoTime();
        boolean isDue = now - wholeBeganNanos >= wholeEvery.toNanos();
        if (!isDue || wholeResult.get() != null || !isWholeReadingInProgress.compareAndSet(false, true)) {
            return;
        }
        wholeBeganNanos = now;
        reading.readWhole(from)
                .invoke(wholeResult::set)
                .onTermination().invoke(() -> isWholeReadingInProgress.set(false))
                .subscribe().with(read -> {}, failure -> LOG.warnf(
                        "rows that were purged may still count for %s: not all of a cell could be read cell=%s"
                                + " cause=%s",
                        wholeEvery, mapping, failure));
    }

    /** Marks the cell as unavailable, but keeps its content, from which the next reading continues. */
    private @Nullable Void markUnavailable(Object cause) {
        if (!isUnavailable && database != null) {
            isUnavailable = true;
            LOG.errorf("cell does not answer, its hosts are left out until it does cell=%s database=%s cause=%s",
                    mapping, database.url(), cause);
        }
        return null;
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
    }
}
