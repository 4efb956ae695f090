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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * One cell of nova: its database and its last content. Readers wait for the cell while it responds, including retries
 * of a failed reading. An unavailable cell is queried again every few seconds, and readers wait for it briefly or not
 * at all. Of the readings of the whole cell, readers wait only for the first.
 */
final class CellSource implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(CellSource.class);
    private static final long AGAIN_NANOS = Duration.ofSeconds(2).toNanos();
    /** The interval of whole readings, which catch rows that were purged or that a wrong clock dated. */
    static final Duration WHOLE_EVERY = Duration.ofMinutes(5);
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
     * The result of a whole reading that ran concurrently; the next reading of changes continues from it. Null if there
     * is none.
     */
    private final AtomicReference<Read> whole = new AtomicReference<>();
    private final AtomicBoolean wholeUnderWay = new AtomicBoolean();
    /** When the last whole reading began; initially so long ago that one is due. */
    private volatile long wholeAskedNanos;
    private volatile boolean isAway;
    private volatile boolean underWay;
    private volatile long askedNanos;

    /** @param before the cell under its previous mapping; null if it was not known */
    CellSource(
            ApiReading.Mapping mapping, @Nullable CellSource before, NovaDatabaseConfig config, InventoryOptions options,
            Vertx vertx, InstanceRoom room, Duration wholeEvery) {
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

    /** Compares the name of the database: the server may be another, or have another address. */
    private boolean isOf(Database opened) {
        return database != null && database.url().database().equals(opened.url().database());
    }

    ApiReading.Mapping mapping() {
        return mapping;
    }

    boolean isAway() {
        return isAway;
    }

    /** Returns whether readers wait for this cell. */
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
        // Waits briefly, so that this reader gets the cell if it is back; a longer reading continues without readers.
        // Does not wait for a cell that is disabled in nova: it may be gone for good.
        Uni<Void> asked = ask().memoize().indefinitely();
        asked.subscribe().with(done -> {});
        return mapping.disabled()
                ? Uni.createFrom().voidItem()
                : asked.ifNoItem().after(BACK_WITHIN).recoverWithItem((Void) null);
    }

    /**
     * Returns the standing of an instance; {@code NOT_WAITING} if this cell has no row of it. A disabled cell that is
     * unavailable matters only if the host is in it: nova builds nothing there, but may move an instance within the
     * cell. Fails if the database does not respond.
     */
    Uni<Standing> standing(UUID instance, String host) {
        Read known = held;
        boolean hasHost = known != null && !known.registry().computeNodesOf(host).isEmpty();
        if (isAway && mapping.disabled() && !hasHost) {
            return Uni.createFrom().item(Standing.NOT_WAITING);
        }
        return database == null ? Uni.createFrom().item(Standing.WAITING) : CellReading.standing(database, instance, host);
    }

    /** Returns an empty map for a cell that is unavailable. */
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
        readWholeBeside(from);
        Read all = whole.get();
        return reading.changes(all == null ? from : all).invoke(() -> whole.compareAndSet(all, null));
    }

    /**
     * Starts a whole reading if one is due. A large cell takes long, so readings of changes go on meanwhile; the first
     * one after it looks back to when the whole reading began.
     */
    private void readWholeBeside(Read from) {
        long now = System.nanoTime();
        boolean isDue = now - wholeAskedNanos >= wholeEvery.toNanos();
        if (!isDue || whole.get() != null || !wholeUnderWay.compareAndSet(false, true)) {
            return;
        }
        wholeAskedNanos = now;
        reading.whole(from)
                .invoke(whole::set)
                .onTermination().invoke(() -> wholeUnderWay.set(false))
                .subscribe().with(read -> {}, failure -> LOG.warnf(
                        "rows that were purged may still count for %s: not all of a cell could be read cell=%s cause=%s",
                        wholeEvery, mapping, failure));
    }

    /** Marks the cell as unavailable and keeps its content to continue from. */
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
