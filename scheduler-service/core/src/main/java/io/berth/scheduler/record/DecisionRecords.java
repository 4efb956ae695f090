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
 * be written are dropped and counted. Thread-safe.
 */
@Singleton
public class DecisionRecords {
    private static final Logger LOG = Logger.getLogger(DecisionRecords.class);
    private static final long GATHER_MS = 250;
    /**
     * A statement takes no further record once it has this many bytes. The limit is small because a reader of one
     * record makes the server decompress all records of the statement before it.
     */
    private static final long TOGETHER_BYTES_MAX = 256L * 1_024;
    /** Maximum bytes of a request body; a larger one is not recorded. */
    private static final int REQUEST_MAX = 256 * 1_024;
    /** Maximum characters of a project's or flavor's name, as in keystone and nova. */
    private static final int NAME_MAX = 255;
    /** The buffer may use the heap divided by this. */
    private static final int HEAP_PART = 64;
    /** Time limit for writing one batch, including repeated attempts. */
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);
    /** Time limit for writing the buffered records at shutdown. */
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    /** Interval at which partitions are checked for their end or expiry. */
    private static final Duration TURN_EVERY = Duration.ofMinutes(1);
    /** Maximum attempts to write a batch. An attempt writes nothing if a partition ends at the same time. */
    private static final int WRITES_MAX = 3;
    /** SQLSTATE check_violation: the table has no partition for the row. */
    private static final String NO_PARTITION = "23514";

    private final RecordStore store;
    private final RecordOptions options;
    private final Vertx vertx;
    private final Counter noRoom;
    private final Counter notWritten;
    private final long bytesMax;
    /** The buffer, in order of arrival. Guarded by itself. */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /**
     * Readers that wait for buffered records. Guarded by {@link #waiting}, as are the fields below it that are not
     * volatile.
     */
    private final ArrayDeque<Reader> readers = new ArrayDeque<>();
    /**
     * True if the next partition could not be begun, for example because a backup locks it for hours. Then only
     * {@link #keepTurning} tries again, not every write.
     */
    private volatile boolean isTurnDeferred;
    /** The hosts of the last record, which the next one shares if they are equal, as is most often the case. */
    private volatile @Nullable OfferedHosts lastOffered;
    private long bytes;
    /** True while a write is in progress or its timer is set. */
    private boolean planned;
    /** The id of the timer of the next write; stale while a write is in progress. */
    private long timer;
    /** Number of records that were buffered since the start. */
    private long accepted;
    /** Number of buffered records that were since written or dropped. */
    private long settled;

    /** @param size estimated bytes of this record, without hosts that it shares with the record before */
    private record Waiting(DecisionRow row, long size) {}

    /** @param behind number of records that were buffered before this reader came */
    private record Reader(long behind, UniEmitter<? super Void> emitter) {}

    DecisionRecords(RecordStore store, RecordOptions options, Vertx vertx, MeterRegistry meters) {
        this.store = store;
        this.options = options;
        this.vertx = vertx;
        this.bytesMax = Runtime.getRuntime().maxMemory() / HEAP_PART;
        this.noRoom = dropped(meters, "no_room");
        this.notWritten = dropped(meters, "not_written");
        Gauge.builder("berth.decisions.unwritten.bytes", this, DecisionRecords::waitingBytes)
                .description("Records of decisions that wait to be written, in memory")
                .register(meters);
    }

    private static Counter dropped(MeterRegistry meters, String cause) {
        return Counter.builder("berth.decisions.dropped")
                .description(
                        "Decision records that were dropped; no_room: the buffer was full; not_written: the database"
                                + " failed")
                .tag("cause", cause)
                .register(meters);
    }

    private double waitingBytes() {
        synchronized (waiting) {
            return bytes;
        }
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(TURN_EVERY, this::keepTurning, "decisions not pruned");
    }

    /** Ends the current partition if it is full or too old, and empties one expired partition. */
    Uni<Void> keepTurning() {
        isTurnDeferred = false;
        return store.turn(options.partRecords(), options.partSeconds())
                .chain(() -> store.expire(options.keepSeconds()))
                .replaceWithVoid();
    }

    /** Returns the end of an error message that names the decision record; empty if there is no record. */
    public String link(DecisionTrace trace) {
        return trace.isRecorded() && options.areMade() ? "; see /v1/decisions/" + trace.id() : "";
    }

    /**
     * Adds the record of a request. Returns at once and never fails. Ignores dry runs, and all but the first ending of
     * a request.
     */
    public void add(DecisionTrace trace, DecisionOutcome ending) {
        if (!trace.ends() || !trace.isRecorded() || !options.areMade()) {
            return;
        }
        try {
            add(row(trace, ending));
        } catch (RuntimeException defect) {
            // The request must not fail because its record cannot be made.
            notWritten.increment();
            LOG.errorf(defect, "decision not recorded decision=%s", trace.id());
        }
    }

    private DecisionRow row(DecisionTrace trace, DecisionOutcome ending) {
        DecisionTrace.Request request = trace.request();
        List<HostState> offered = ending.decision() == null || ending.decision().rounds().isEmpty()
                ? List.of()
                : ending.decision().rounds().getFirst().round().preselection().hostsIn();
        return new DecisionRow(
                trace.id(),
                request.kind().wireName(),
                ending.result().wireName(),
                name(request.project()),
                name(request.flavor()),
                request.names().instance(),
                request.instances(),
                selected(ending.places()),
                request.body() == null || request.body().length > REQUEST_MAX ? null : request.body(),
                RecordBody.of(trace, ending),
                OfferedHosts.of(offered, lastOffered));
    }

    /**
     * Truncates a text that the client sent: a refused request is recorded, too, and its texts may be of any length.
     */
    private static @Nullable String name(@Nullable String stated) {
        return stated == null ? null : Truncation.of(stated, NAME_MAX);
    }

    /** Returns the selected hosts of all instances, each once. */
    private static List<String> selected(List<List<HostName>> places) {
        return places.size() == 1
                ? List.of(places.getFirst().getFirst().host())
                : places.stream().map(ofInstance -> ofInstance.getFirst().host()).distinct().toList();
    }

    /** Buffers a record, or drops it if the buffer is full. */
    void add(DecisionRow row) {
        boolean plan;
        synchronized (waiting) {
            Waiting next = next(row);
            if (bytes + next.size() > bytesMax) {
                noRoom.increment();
                return;
            }
            waiting.add(next);
            bytes += next.size();
            lastOffered = next.row().offered();
            accepted++;
            plan = !planned;
            planned = true;
        }
        if (plan) {
            writeAfter(GATHER_MS);
        }
    }

    private void writeAfter(long ms) {
        synchronized (waiting) {
            timer = vertx.setTimer(ms, ignored -> writeNext());
        }
    }

    /** Makes the buffered record; it shares the hosts of the last one if they are equal. */
    private Waiting next(DecisionRow row) {
        if (row.offered() == null) {
            return new Waiting(row, row.size());
        }
        return row.offered().areThoseOf(lastOffered)
                ? new Waiting(row.withOffered(lastOffered), row.size())
                : new Waiting(row, row.size() + row.offered().size());
    }

    private void writeNext() {
        writeSome().subscribe().with(wrote -> {
            if (wrote) {
                writeAfter(isWaitedFor() ? 1 : GATHER_MS);
            }
        });
    }

    /** Returns whether the buffer has enough for a full statement, or a reader waits. */
    private boolean isWaitedFor() {
        synchronized (waiting) {
            return waiting.size() >= options.togetherMax() || bytes >= TOGETHER_BYTES_MAX || !readers.isEmpty();
        }
    }

    /** Writes one batch; false if the buffer is empty. Never fails. */
    private Uni<Boolean> writeSome() {
        List<DecisionRow> together = new ArrayList<>();
        long size = 0;
        synchronized (waiting) {
            while (!waiting.isEmpty() && together.size() < options.togetherMax() && size < TOGETHER_BYTES_MAX) {
                Waiting next = waiting.poll();
                size += next.size();
                together.add(next.row());
            }
            if (together.isEmpty()) {
                planned = false;
                return Uni.createFrom().item(false);
            }
        }
        long batchBytes = size;
        return written(together)
                .onFailure().invoke(failure -> {
                    notWritten.increment(together.size());
                    LOG.warnf("records of decisions dropped count=%d cause=%s", together.size(), failure);
                })
                .onFailure().recoverWithNull()
                .invoke(() -> settled(together.size(), batchBytes))
                .replaceWith(true);
    }

    /** Removes a batch from the accounting, and completes the readers that waited for it. */
    private void settled(int count, long size) {
        List<Reader> served = new ArrayList<>();
        synchronized (waiting) {
            bytes -= size;
            settled += count;
            while (!readers.isEmpty() && readers.peek().behind() <= settled) {
                served.add(readers.poll());
            }
        }
        served.forEach(reader -> reader.emitter().complete(null));
    }

    private Uni<Void> written(List<DecisionRow> rows) {
        return written(rows, WRITES_MAX)
                .ifNoItem().after(WRITE_MAX).fail()
                .chain(part -> part.records() < options.partRecords() || isTurnDeferred
                        ? Uni.createFrom().voidItem()
                        // A failure to begin the next partition does not affect the records, which are written.
                        : store.turn(options.partRecords(), options.partSeconds())
                                .onFailure().invoke(failure -> {
                                    isTurnDeferred = true;
                                    LOG.warnf("partition of decisions not ended cause=%s", failure);
                                })
                                .onFailure().recoverWithNull()
                                .replaceWithVoid());
    }

    /** Tries to write a batch. Creates the current partition if it is missing. */
    private Uni<RecordStore.PartitionState> written(List<DecisionRow> rows, int triesLeft) {
        return store.write(rows)
                .onFailure(DecisionRecords::isWithoutPartition).recoverWithUni(failure -> triesLeft > 1
                        ? store.mend().replaceWith((RecordStore.PartitionState) null)
                        : Uni.createFrom().failure(failure))
                .chain(part -> part != null
                        ? Uni.createFrom().item(part)
                        : triesLeft > 1
                                ? written(rows, triesLeft - 1)
                                : Uni.createFrom().failure(new IllegalStateException("no partition is open")));
    }

    private static boolean isWithoutPartition(Throwable failure) {
        return failure instanceof PgException refused && NO_PARTITION.equals(refused.getSqlState());
    }

    /**
     * Returns a record; null if it does not exist or was deleted. Writes the buffered records of this replica first.
     */
    public Uni<RecordedDecision> find(UUID id) {
        return written().chain(() -> store.find(id)).map(row -> row == null ? null : new RecordedDecision(row));
    }

    /**
     * Returns the newest record of an instance; null if there is none. Writes the buffered records of this replica
     * first.
     */
    public Uni<RecordedDecision> newestOf(UUID instance) {
        return written().chain(() -> store.newestOf(instance))
                .map(row -> row == null ? null : new RecordedDecision(row));
    }

    /** Returns a page of records, the latest first. Writes the buffered records of this replica first. */
    public Uni<RecordPage<RecordedDecision>> list(RecordSearch search) {
        return written().chain(() -> store.list(search)).map(page -> new RecordPage<>(
                page.records().stream().map(RecordedDecision::listed).toList(), page.hasMore()));
    }

    /** Returns the instances that recent requests placed under this name, see {@link RecordStore#NAMED}. */
    public Uni<List<NamedInstance>> named(String name) {
        return written().chain(() -> store.named(name));
    }

    /**
     * Returns up to three requests for each instance: the latest that placed or moved it, the latest first. Instances
     * without a recorded request are missing; a request that was too large to be recorded is skipped.
     */
    public Uni<List<RecordedRequest>> requestsOf(List<UUID> instances) {
        return written().chain(() -> store.requestsOf(instances));
    }

    /**
     * Returns requests to place instances in the order of their arrival, with at most 4 MiB of bodies in all.
     *
     * @param since the earliest time; null for the latest requests
     * @param limit maximum requests
     */
    public Uni<List<RecordedSelection>> selections(@Nullable Instant since, int limit) {
        return written().chain(() -> store.selections(since, limit));
    }

    /**
     * Completes once all records that are buffered now are written or dropped. Completes on the caller's Vert.x
     * context.
     */
    Uni<Void> written() {
        Uni<Void> all = Uni.createFrom().emitter(emitter -> {
            boolean mustWait;
            boolean gathers = false;
            synchronized (waiting) {
                mustWait = settled < accepted;
                if (mustWait) {
                    readers.add(new Reader(accepted, emitter));
                    gathers = vertx.cancelTimer(timer);
                }
            }
            if (!mustWait) {
                emitter.complete(null);
            } else if (gathers) {
                writeNext();
            }
        });
        return all.emitOn(CallerContext.executor());
    }

    /** Writes the buffered records at shutdown. */
    void stop(@Observes ShutdownEvent stopping) {
        try {
            Uni.createFrom().deferred(this::writeSome)
                    .repeat().whilst(wrote -> wrote)
                    .onItem().ignoreAsUni()
                    .chain(() -> written())
                    .await().atMost(STOP_MAX);
        } catch (RuntimeException late) {
            LOG.warnf("records of decisions dropped at shutdown cause=%s", (Object) late);
        }
    }
}
