package io.berth.scheduler.record;

import io.berth.context.CallerContext;
import io.berth.context.Recurring;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.instance.NamedInstance;
import io.berth.scheduler.text.Truncation;
import io.berth.scheduler.trace.DecisionTrace;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Writes decision records asynchronously, after the response. Batches them for up to {@value #GATHER_MS} ms, one INSERT
 * at a time; flushes at once if a reader is waiting. The buffer is bounded in bytes; records that do not fit or cannot
 * be written are dropped and counted. The tables have partitions, which are written one after the other and emptied as
 * a whole ({@link RecordStore}). Thread-safe.
 */
@Singleton
public class DecisionRecords {
    private static final Logger LOG = Logger.getLogger(DecisionRecords.class);
    private static final long GATHER_MS = 250;
    /**
     * A statement takes no further record once it has this many bytes. The limit is small because a reader of one
     * record makes the server decompress all records of the statement before it.
     */
    private static final long BATCH_BYTES_MAX = 256L * 1_024;
    /** Maximum bytes of a request body; a larger body is left out of the record. */
    private static final int REQUEST_MAX = 256 * 1_024;
    /** Maximum characters of a project's id and of a flavor's name, as in nova's database. */
    private static final int NAME_MAX = 255;
    /** The buffer may use the heap divided by this. */
    private static final int HEAP_PART = 64;
    /** Time limit for writing one batch, including repeated attempts. */
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);
    /** Time limit for writing the buffered records at shutdown. */
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    /** Interval of {@link #rotatePartitions}. */
    private static final Duration TURN_EVERY = Duration.ofMinutes(1);
    /**
     * Maximum attempts to write a batch. An attempt writes nothing if another replica ends the partition then, or if
     * the partition is missing.
     */
    private static final int WRITES_MAX = 3;
    /** SQLSTATE check_violation: the table has no partition for the row. */
    private static final String NO_PARTITION = "23514";

    private final RecordStore store;
    private final RecordOptions options;
    private final Vertx vertx;
    private final Counter droppedWithoutRoom;
    private final Counter droppedNotWritten;
    private final long bytesMax;
    /** The buffer, in order of arrival. Guarded by itself. */
    private final ArrayDeque<Buffered> buffer = new ArrayDeque<>();

    /**
     * Readers that wait for buffered records. Guarded by {@link #buffer}, as are the further fields that are not
     * volatile.
     */
    private final ArrayDeque<Reader> readers = new ArrayDeque<>();
    /**
     * True if the next partition could not be begun, for example because a backup locks it for hours. While it is true,
     * only {@link #rotatePartitions} tries to begin a partition, not every write.
     */
    private volatile boolean isRotationDeferred;
    /**
     * The considered hosts of the last record; null if they were not recorded. The next record shares this object if
     * its hosts are equal, as is usual.
     */
    private volatile @Nullable OfferedHosts lastOffered;
    private long bytes;
    /** True while a write is in progress or its timer is set. */
    private boolean isWritePlanned;
    /** The Vert.x timer of the next write; while a write is in progress, the timer that began it. */
    private long timerId;
    /** Number of records that were buffered since the start. */
    private long acceptedCount;
    /** Number of the accepted records that were written, or dropped after an error. */
    private long finishedCount;

    /** @param size estimated bytes of this record, without hosts that it shares with the previous record */
    private record Buffered(DecisionRow row, long size) {}

    /** @param recordsBefore number of records that were buffered before this reader came */
    private record Reader(long recordsBefore, UniEmitter<? super Void> emitter) {}

    DecisionRecords(RecordStore store, RecordOptions options, Vertx vertx, MeterRegistry meters) {
        this.store = store;
        this.options = options;
        this.vertx = vertx;
        this.bytesMax = Runtime.getRuntime().maxMemory() / HEAP_PART;
        this.droppedWithoutRoom = droppedCounter(meters, "no_room");
        this.droppedNotWritten = droppedCounter(meters, "not_written");
        Gauge.builder("berth.decisions.unwritten.bytes", this, DecisionRecords::waitingBytes)
                .description("Bytes of the decision records that wait in memory to be written")
                .register(meters);
    }

    private static Counter droppedCounter(MeterRegistry meters, String cause) {
        return Counter.builder("berth.decisions.dropped")
                .description(
                        "Decision records that were dropped; no_room: the buffer was full; not_written: the database"
                                + " failed")
                .tag("cause", cause)
                .register(meters);
    }

    private double waitingBytes() {
        synchronized (buffer) {
            return bytes;
        }
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(TURN_EVERY, this::rotatePartitions, "decisions not pruned");
    }

    /** Ends the current partition if it is full or too old, and empties one expired partition if there is any. */
    Uni<Void> rotatePartitions() {
        isRotationDeferred = false;
        return store.rotatePartition(options.partRecords(), options.partSeconds())
                .chain(() -> store.expire(options.keepSeconds()))
                .replaceWithVoid();
    }

    /** Returns the end of an error message that names the decision record; empty if the request is not recorded. */
    public String recordHint(DecisionTrace trace) {
        return trace.isRecorded() && options.areRecordsMade() ? "; see /v1/decisions/" + trace.id() : "";
    }

    /**
     * Adds the record of a request. Returns at once and never fails. Ignores dry runs and analyses, and all calls for a
     * request but the first. Does nothing if {@code berth.scheduler.decisions.max} is 0.
     */
    public void add(DecisionTrace trace, DecisionOutcome outcome) {
        if (!trace.endOnce() || !trace.isRecorded() || !options.areRecordsMade()) {
            return;
        }
        try {
            add(row(trace, outcome));
        } catch (RuntimeException defect) {
            // The request must not fail because its record cannot be made.
            droppedNotWritten.increment();
            LOG.errorf(defect, "decision not recorded decision=%s", trace.id());
        }
    }

    private DecisionRow row(DecisionTrace trace, DecisionOutcome outcome) {
        DecisionTrace.Request request = trace.request();
        List<HostState> offered = outcome.decision() == null || outcome.decision().rounds().isEmpty()
                ? List.of()
                : outcome.decision().rounds().getFirst().round().preselection().hostsIn();
        return new DecisionRow(
                trace.id(),
                request.kind().wireName(),
                outcome.result().wireName(),
                truncateName(request.project()),
                truncateName(request.flavor()),
                request.names().instance(),
                request.instances(),
                selectedHosts(outcome.places()),
                request.body() == null || request.body().length > REQUEST_MAX ? null : request.body(),
                RecordBody.of(trace, outcome),
                OfferedHosts.of(offered, lastOffered));
    }

    /**
     * Truncates a text that the client sent: a refused request is recorded, too, and its texts may be of any length.
     */
    private static @Nullable String truncateName(@Nullable String clientText) {
        return clientText == null ? null : Truncation.of(clientText, NAME_MAX);
    }

    /** Returns the selected hosts of all instances, each once. */
    private static List<String> selectedHosts(List<List<HostName>> places) {
        return places.size() == 1
                ? List.of(places.getFirst().getFirst().host())
                : places.stream().map(ofInstance -> ofInstance.getFirst().host()).distinct().toList();
    }

    /** Buffers a record, or drops it if the buffer is full. */
    void add(DecisionRow row) {
        boolean plan;
        synchronized (buffer) {
            Buffered next = toBuffered(row);
            if (bytes + next.size() > bytesMax) {
                droppedWithoutRoom.increment();
                return;
            }
            buffer.add(next);
            bytes += next.size();
            lastOffered = next.row().offered();
            acceptedCount++;
            plan = !isWritePlanned;
            isWritePlanned = true;
        }
        if (plan) {
            writeAfter(GATHER_MS);
        }
    }

    private void writeAfter(long ms) {
        synchronized (buffer) {
            timerId = vertx.setTimer(ms, ignored -> writeNext());
        }
    }

    /** Estimates the size of a record. The record shares the hosts of the last record if they are equal. */
    private Buffered toBuffered(DecisionRow row) {
        if (row.offered() == null) {
            return new Buffered(row, row.size());
        }
        OfferedHosts last = lastOffered;
        return last != null && row.offered().hasSameHostsAs(last)
                ? new Buffered(row.withOffered(last), row.size())
                : new Buffered(row, row.size() + row.offered().size());
    }

    private void writeNext() {
        writeSome().subscribe().with(hasWritten -> {
            if (hasWritten) {
                writeAfter(mustWriteNow() ? 1 : GATHER_MS);
            }
        });
    }

    /** Returns whether the buffer has enough records or bytes for a full statement, or a reader waits. */
    private boolean mustWriteNow() {
        synchronized (buffer) {
            return buffer.size() >= options.batchMax() || bytes >= BATCH_BYTES_MAX || !readers.isEmpty();
        }
    }

    /** Writes one batch; false if the buffer is empty. Never fails. */
    private Uni<Boolean> writeSome() {
        List<DecisionRow> batch = new ArrayList<>();
        long size = 0;
        synchronized (buffer) {
            while (!buffer.isEmpty() && batch.size() < options.batchMax() && size < BATCH_BYTES_MAX) {
                Buffered next = buffer.poll();
                size += next.size();
                batch.add(next.row());
            }
            if (batch.isEmpty()) {
                isWritePlanned = false;
                return Uni.createFrom().item(false);
            }
        }
        long batchBytes = size;
        return writeRows(batch)
                .onFailure().invoke(failure -> {
                    droppedNotWritten.increment(batch.size());
                    LOG.warnf("records of decisions dropped count=%d cause=%s", batch.size(), failure);
                })
                .onFailure().recoverWithNull()
                .invoke(() -> finishBatch(batch.size(), batchBytes))
                .replaceWith(true);
    }

    /** Removes a batch from the accounting, and completes the readers that waited for it. */
    private void finishBatch(int count, long size) {
        List<Reader> served = new ArrayList<>();
        synchronized (buffer) {
            bytes -= size;
            finishedCount += count;
            while (!readers.isEmpty() && readers.peek().recordsBefore() <= finishedCount) {
                served.add(readers.poll());
            }
        }
        served.forEach(reader -> reader.emitter().complete(null));
    }

    private Uni<Void> writeRows(List<DecisionRow> rows) {
        return writeRows(rows, WRITES_MAX)
                .ifNoItem().after(WRITE_MAX).fail()
                .chain(part -> part.records() < options.partRecords() || isRotationDeferred
                        ? Uni.createFrom().voidItem()
                        // A failure to begin the next partition does not affect the records, which are written.
                        : store.rotatePartition(options.partRecords(), options.partSeconds())
                                .onFailure().invoke(failure -> {
                                    isRotationDeferred = true;
                                    LOG.warnf("partition of decisions not ended cause=%s", failure);
                                })
                                .onFailure().recoverWithNull()
                                .replaceWithVoid());
    }

    /**
     * Tries to write a batch. If the current partition is missing, creates it and tries again; if the partition has
     * just ended, tries again with the next one.
     */
    private Uni<RecordStore.PartitionState> writeRows(List<DecisionRow> rows, int triesLeft) {
        return store.write(rows)
                .onFailure(DecisionRecords::isWithoutPartition).recoverWithUni(failure -> triesLeft > 1
                        ? store.createCurrentPartition().replaceWith((RecordStore.PartitionState) null)
                        : Uni.createFrom().failure(failure))
                .chain(part -> part != null
                        ? Uni.createFrom().item(part)
                        : triesLeft > 1
                                ? writeRows(rows, triesLeft - 1)
                                : Uni.createFrom().failure(new IllegalStateException("no partition is open")));
    }

    private static boolean isWithoutPartition(Throwable failure) {
        return failure instanceof PgException refused && NO_PARTITION.equals(refused.getSqlState());
    }

    /**
     * Returns a record; null if it does not exist or was deleted. Writes the buffered records of this replica first.
     */
    public Uni<RecordedDecision> find(UUID id) {
        return flush().chain(() -> store.find(id)).map(row -> row == null ? null : new RecordedDecision(row));
    }

    /**
     * Returns the newest record of an instance; null if there is none. Writes the buffered records of this replica
     * first.
     */
    public Uni<RecordedDecision> newestOf(UUID instance) {
        return flush().chain(() -> store.newestOf(instance))
                .map(row -> row == null ? null : new RecordedDecision(row));
    }

    /** Returns a page of records, the latest first. Writes the buffered records of this replica first. */
    public Uni<RecordPage<RecordedDecision>> list(RecordSearch search) {
        return flush().chain(() -> store.list(search)).map(page -> new RecordPage<>(
                page.records().stream().map(RecordedDecision::listed).toList(), page.hasMore()));
    }

    /** Returns the instances that recent requests were to place under this name, see {@link RecordStore#NAMED}. */
    public Uni<List<NamedInstance>> findInstancesNamed(String name) {
        return flush().chain(() -> store.findInstancesNamed(name));
    }

    /**
     * Returns up to three requests for each instance: the latest that placed or moved it (also those that
     * nova-scheduler decided, and this service only as its shadow), the latest first. Reschedules, and requests that
     * were too large to be recorded, are skipped. An instance without any other request is missing in the result.
     */
    public Uni<List<RecordedRequest>> requestsOf(List<UUID> instances) {
        return flush().chain(() -> store.requestsOf(instances));
    }

    /**
     * Returns requests to place instances in the order of their arrival. Bodies beyond 4 MiB in all are left out, see
     * {@link RecordedSelection#isOmitted}.
     *
     * @param since the earliest time; null for the latest requests
     * @param limit maximum requests
     */
    public Uni<List<RecordedSelection>> selections(@Nullable Instant since, int limit) {
        return flush().chain(() -> store.selections(since, limit));
    }

    /**
     * Completes once all records that are buffered now are written or dropped. Completes on the caller's Vert.x
     * context.
     */
    Uni<Void> flush() {
        Uni<Void> all = Uni.createFrom().emitter(emitter -> {
            boolean mustWait;
            boolean isTimerCancelled = false;
            synchronized (buffer) {
                mustWait = finishedCount < acceptedCount;
                if (mustWait) {
                    readers.add(new Reader(acceptedCount, emitter));
                    isTimerCancelled = vertx.cancelTimer(timerId);
                }
            }
            if (!mustWait) {
                emitter.complete(null);
            } else if (isTimerCancelled) {
                writeNext();
            }
        });
        return all.emitOn(CallerContext.executor());
    }

    /** Writes the buffered records at shutdown, and waits for a write in progress. */
    void stop(@Observes ShutdownEvent stopping) {
        try {
            Uni.createFrom().deferred(this::writeSome)
                    .repeat().whilst(wrote -> wrote)
                    .onItem().ignoreAsUni()
                    .chain(() -> flush())
                    .await().atMost(STOP_MAX);
        } catch (RuntimeException failure) {
            LOG.warnf("records of decisions dropped at shutdown cause=%s", (Object) failure);
        }
    }
}
