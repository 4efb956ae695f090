package io.berth.scheduler.nova.database;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.nova.database.CellReading.Read;
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
 * <p>Readers wait for a reading of changes, including retries, for the cell timeout at most. Then the cell counts as
 * unavailable: it contributes no hosts and is queried again at most every two seconds. Readers wait one second for an
 * unavailable cell, or not at all if the cell is disabled in nova. Readers wait for the first reading of the whole
 * cell; later ones run in the background.
 */
final class CellSource implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(CellSource.class);
    /** The minimum time between two queries of an unavailable cell. */
    private static final long AGAIN_NANOS = Duration.ofSeconds(2).toNanos();
    /**
     * The interval of readings of the whole cell. They find what readings of changes miss: purged rows, and rows whose
     * times a wrong clock wrote.
     */
    static final Duration WHOLE_EVERY = Duration.ofMinutes(5);
    /** How long a reader waits for an unavailable cell. */
    private static final Duration BACK_WITHIN = Duration.ofSeconds(1);
    private static final Duration RETRY_FIRST = Duration.ofMillis(100);
    private static final Duration RETRY_MAX = Duration.ofSeconds(1);

    private final ApiReading.Mapping mapping;
    private final Duration timeout;
    private final Duration wholeEvery;
    /** Null if the cell's database URL is unusable. */
    private final @Nullable Database database;
    private final @Nullable CellReading reading;
    /** The last content; null before the first reading. */
    private volatile @Nullable Read held;
    /**
     * The result of a background reading of the whole cell, from which the next reading of changes continues. Null if
     * there is none.
     */
    private final AtomicReference<Read> wholeReading = new AtomicReference<>();
    private final AtomicBoolean wholeUnderWay = new AtomicBoolean();
    /**
     * When the last reading of the whole cell began, in {@link System#nanoTime}; initially so long ago that one is due.
     */
    private volatile long wholeAskedNanos;
    private volatile boolean isAway;
    /** True while a reading is in progress, other than one in the background. */
    private volatile boolean underWay;
    private volatile long askedNanos;

    /**
     * @param before the source of the same cell with its previous mapping, whose content is kept if the database has
     * the same name; null for a new cell
     */
    CellSource(
            ApiReading.Mapping mapping, @Nullable CellSource before, NovaDatabaseConfig config,
            InventoryOptions options, Vertx vertx, InstanceRoom room, Duration wholeEvery) {
        this.mapping = mapping;
        this.wholeEvery = wholeEvery;
        wholeAskedNanos = System.nanoTime() - wholeEvery.toNanos();
        timeout = config.cellTimeout();
        Database opened = null;
        try {
            opened = Database.of("nova-cells", config.ofCell(mapping), vertx, timeout);
        } catch (IllegalArgumentException unknown) {
            LOG.errorf("cell left out with its hosts cell=%s cause=%s", mapping, unknown.getMessage());
            isAway = true;
        }
        database = opened;
        reading = opened == null ? null : new CellReading(opened, mapping.uuid(), options, room);
        held = before != null && opened != null && before.isOf(opened) ? before.held : null;
    }

    /** Returns whether both databases have the same name. Ignores the server and its address, which may change. */
    private boolean isOf(Database opened) {
        return database != null && database.url().database().equals(opened.url().database());
    }

    ApiReading.Mapping mapping() {
        return mapping;
    }

    /** Returns the cell's database; empty if its URL is unusable. */
    Optional<Database> database() {
        return Optional.ofNullable(database);
    }

    boolean isAway() {
        return isAway;
    }

    /** Returns whether readers are waiting for this cell. */
    boolean isLate() {
        return underWay && !isAway;
    }

    /** Returns an empty registry while the cell is unavailable. */
    RegistrySnapshot registry() {
        Read read = held;
        return isAway || read == null ? RegistrySnapshot.EMPTY : read.registry();
    }

    /** Reads what changed, or the whole cell the first time. Never fails. */
    Uni<Void> read() {
        if (reading == null) {
            return Uni.createFrom().voidItem();
        }
        if (!isAway) {
            return ask();
        }
        if (underWay || System.nanoTime() - askedNanos <= AGAIN_NANOS) {
            return Uni.createFrom().voidItem();
        }
        // Waits briefly, so that this reader sees a cell that responds again; a longer reading continues in the
        // background. Does not wait for a cell that is disabled in nova, because it may never respond again.
        Uni<Void> asked = ask().memoize().indefinitely();
        asked.subscribe().with(done -> {});
        return mapping.disabled()
                ? Uni.createFrom().voidItem()
                : asked.ifNoItem().after(BACK_WITHIN).recoverWithItem((Void) null);
    }

    /**
     * Returns the standing of an instance; {@code NOT_WAITING} if this cell has no row of the instance, {@code WAITING}
     * if the database's URL is unusable. Queries a cell that is both disabled and unavailable only if it has the host:
     * nova builds nothing in a disabled cell, but may move an instance within it. Fails if the database does not
     * respond.
     */
    Uni<BuildProgress> standing(UUID instance, String host) {
        Read known = held;
        boolean hasHost = known != null && !known.registry().computeNodesOf(host).isEmpty();
        if (isAway && mapping.disabled() && !hasHost) {
            return Uni.createFrom().item(BuildProgress.NOT_WAITING);
        }
        return database == null
                ? Uni.createFrom().item(BuildProgress.WAITING)
                : CellReading.standing(database, instance, host);
    }

    /**
     * Returns the places of those instances that are on a host of this cell and have no task; an empty map if the cell
     * is unavailable.
     */
    Uni<Map<UUID, Place>> settled(Set<UUID> instances) {
        return database == null || isAway
                ? Uni.createFrom().item(Map.of())
                : CellReading.settled(database, instances);
    }

    private Uni<Void> ask() {
        underWay = true;
        askedNanos = System.nanoTime();
        // Continues without a waiting reader: reading a whole large cell may take longer than a decision waits.
        Uni<Void> asked = Uni.createFrom().deferred(this::next)
                .onFailure().retry().withBackOff(RETRY_FIRST, RETRY_MAX).expireIn(timeout.toMillis())
                .invoke(read -> {
                    held = read;
                    if (isAway) {
                        isAway = false;
                        LOG.infof("cell is back cell=%s", mapping);
                    }
                })
                .replaceWithVoid()
                .onFailure().recoverWithItem(failure -> leaveOut(failure))
                .onTermination().invoke(() -> underWay = false)
                .memoize().indefinitely();
        asked.subscribe().with(done -> {});
        return asked.ifNoItem().after(timeout).recoverWithItem(() -> leaveOut("not within " + timeout));
    }

    private Uni<Read> next() {
        Read from = held;
        if (from == null) {
            wholeAskedNanos = System.nanoTime();
            return reading.whole(null);
        }
        readWholeInBackground(from);
        Read all = wholeReading.get();
        return reading.changes(all == null ? from : all).invoke(() -> wholeReading.compareAndSet(all, null));
    }

    /**
     * Starts a reading of the whole cell in the background if one is due. Readings of changes continue meanwhile,
     * because a large cell takes long. The first reading of changes after that starts from its result, and covers the
     * time since the background reading began.
     */
    private void readWholeInBackground(Read from) {
        long now = System.nanoTime();
        boolean isDue = now - wholeAskedNanos >= wholeEvery.toNanos();
        if (!isDue || wholeReading.get() != null || !wholeUnderWay.compareAndSet(false, true)) {
            return;
        }
        wholeAskedNanos = now;
        reading.whole(from)
                .invoke(wholeReading::set)
                .onTermination().invoke(() -> wholeUnderWay.set(false))
                .subscribe().with(read -> {}, failure -> LOG.warnf(
                        "rows that were purged may still count for %s: not all of a cell could be read cell=%s"
                                + " cause=%s",
                        wholeEvery, mapping, failure));
    }

    /** Marks the cell as unavailable. Keeps its content, from which the next reading continues. */
    private @Nullable Void leaveOut(Object cause) {
        if (!isAway) {
            isAway = true;
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
