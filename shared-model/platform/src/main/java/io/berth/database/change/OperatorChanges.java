package io.berth.database.change;

import io.berth.context.Recurring;
import io.berth.context.SharedCall;
import io.berth.model.OperatorChange;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Writes the {@link OperatorChange}s of this replica to the database, asynchronously, after the response. Batches
 * changes for up to a second; writes at once for a reader and at shutdown. A failed write is repeated. The buffer holds
 * at most {@value #WAITING_CHANGES_MAX} changes; changes that do not fit are dropped and counted in a log line. The
 * table is bounded by number and age of changes; with a maximum number of 0, nothing is written.
 */
@Singleton
public class OperatorChanges {
    private static final Logger LOG = Logger.getLogger(OperatorChanges.class);
    private static final int WAITING_CHANGES_MAX = 1_024;
    /** Maximum number of changes of one INSERT. */
    private static final int BATCH_MAX = 64;
    private static final Duration WRITE_INTERVAL = Duration.ofSeconds(1);
    /** Maximum time of the last writes at shutdown; changes that are not written by then are lost. */
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    private final ChangeStore store;
    private final Recurring recurring;
    private final Duration keepTime;
    private final int storedMax;
    private final BlockingQueue<OperatorChange> waitingChanges = new ArrayBlockingQueue<>(WAITING_CHANGES_MAX);
    private final AtomicLong droppedCount = new AtomicLong();
    /**
     * The changes of the running write. These changes are no longer in the buffer, and not yet stored; if the write
     * fails, the next write repeats them.
     */
    private final List<OperatorChange> batch = new ArrayList<>();
    private final Uni<Void> write = SharedCall.of(Uni.createFrom().deferred(this::writeWaiting), Duration.ZERO);

    /**
     * @param keepTime time for which a change that an operator made can be queried
     * @param storedMax maximum number of changes by operators that are stored; 0 disables the history
     */
    OperatorChanges(
            ChangeStore store,
            Recurring recurring,
            @ConfigProperty(name = "berth.changes.keep", defaultValue = "P90D") Duration keepTime,
            @ConfigProperty(name = "berth.changes.max", defaultValue = "100000") int storedMax) {
        this.store = store;
        this.recurring = recurring;
        this.keepTime = keepTime;
        this.storedMax = storedMax;
    }

    void start(@Observes StartupEvent started) {
        if (storedMax > 0) {
            recurring.every(
                    WRITE_INTERVAL, () -> write,
                    "changes that operators made are not recorded yet; the write is repeated");
        }
    }

    void stop(@Observes ShutdownEvent stopped) {
        try {
            flush().await().atMost(STOP_MAX);
        } catch (RuntimeException failure) {
            LOG.warnf("changes that operators made are not recorded cause=%s", (Object) failure);
        }
    }

    /** Buffers the change and returns at once. Ignores it if the history is disabled. */
    void add(@Observes OperatorChange change) {
        if (storedMax > 0 && !waitingChanges.offer(change)) {
            droppedCount.incrementAndGet();
        }
    }

    /**
     * Returns a page as JSON. The changes that this replica made before the call are stored first; changes of other
     * replicas may be missing for about a second.
     */
    public Uni<String> list(ChangeSearch search) {
        return flush().chain(() -> store.list(search, keepTime)).map(changes -> ChangeJson.render(changes, search));
    }

    /**
     * Completes when all changes that were buffered before this call are written. A running write may not include the
     * latest changes, so a second write follows.
     */
    private Uni<Void> flush() {
        return write.chain(() -> write);
    }

    private Uni<Void> writeWaiting() {
        if (batch.size() < BATCH_MAX) {
            waitingChanges.drainTo(batch, BATCH_MAX - batch.size());
        }
        if (batch.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return store.write(List.copyOf(batch))
                .invoke(this::endBatch)
                .chain(() -> store.deleteOld(storedMax, keepTime))
                .chain(this::writeWaiting);
    }

    private void endBatch() {
        batch.clear();
        long dropped = droppedCount.getAndSet(0);
        if (dropped > 0) {
            LOG.warnf("%d changes that operators made are not recorded: the buffer was full", dropped);
        }
    }
}
