package io.berth.scheduler.record;

import io.berth.context.CallerContext;
import io.berth.context.Recurring;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.instance.NamedInstance;
import io.berth.scheduler.text.Beginning;
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
 * Writes the record of every decision asynchronously, after the response. Batches records for up to
 * {@value #GATHER_MS} ms, one statement at a time; flushes at once if a reader is waiting. The buffer is bounded in
 * bytes; records that do not fit or cannot be written are dropped and counted. Thread-safe.
 */
@Singleton
public class DecisionRecords {
    private static final Logger LOG = Logger.getLogger(DecisionRecords.class);
    private static final long GATHER_MS = 250;
    /**
     * The size in bytes from which a statement takes no further record. It is small because a reader of one record
     * makes the server decompress the records before it, too.
     */
    private static final long TOGETHER_BYTES_MAX = 256L * 1_024;
    private static final int REQUEST_MAX = 256 * 1_024;
    /** Maximum characters of a project's or flavor's name, as in keystone and nova. */
    private static final int NAME_MAX = 255;
    private static final int HEAP_PART = 64;
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final Duration TURN_EVERY = Duration.ofMinutes(1);
    /** Maximum attempts to write; a partition may end between two of them. */
    private static final int WRITES_MAX = 3;
    private static final String NO_PARTITION = "23514";

    private final RecordStore store;
    private final RecordOptions options;
    private final Vertx vertx;
    private final Counter noRoom;
    private final Counter notWritten;
    private final long bytesMax;
    /** Guarded by itself, as are all fields below. */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    private final ArrayDeque<Reader> readers = new ArrayDeque<>();
    /**
     * True if the next partition could not be begun, for example because a backup locks it for hours: then only the
     * regular turn tries again, not every write.
     */
    private volatile boolean isTurnPutOff;
    /** The hosts of the last record, as the next decision most often considers the same ones. */
    private volatile @Nullable OfferedHosts lastOffered;
    private long bytes;
    private boolean planned;
    /** The timer of the next write; stale while a write is in progress. */
    private long timer;
    /** Records accepted, and records accepted that were since written or dropped. */
    private long came;
    private long settled;

    /** @param size bytes that this record alone takes */
    private record Waiting(DecisionRow row, long size) {}

    /** @param behind number of records accepted before this reader */
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
                .description("Records of decisions that were given up: too many waited, or the database did not take them")
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

    /** Ends the current partition and empties expired ones, if due. */
    Uni<Void> keepTurning() {
        isTurnPutOff = false;
        return store.turn(options.partRecords(), options.partSeconds())
                .chain(() -> store.expire(options.keepSeconds()))
                .replaceWithVoid();
    }

    /** Returns the reference to the record that is appended to a refusal's sentence; empty if there is no record. */
    public String link(DecisionTrace trace) {
        return trace.isRecorded() && options.areMade() ? "; see /v1/decisions/" + trace.id() : "";
    }

    /** Adds a record. Never fails or blocks. Ignores dry runs, and records only the first ending of a request. */
    public void add(DecisionTrace trace, Ending ending) {
        if (!trace.ends() || !trace.isRecorded() || !options.areMade()) {
            return;
        }
        try {
            add(row(trace, ending));
        } catch (RuntimeException defect) {
            // A failure to record must not cost the response.
            notWritten.increment();
            LOG.errorf(defect, "no record of a decision decision=%s", trace.id());
        }
    }

    private DecisionRow row(DecisionTrace trace, Ending ending) {
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

    /** Truncates any text that a client sent, as refused requests are recorded, too. */
    private static @Nullable String name(@Nullable String stated) {
        return stated == null ? null : Beginning.of(stated, NAME_MAX);
    }

    private static List<String> selected(List<List<HostName>> places) {
        return places.size() == 1
                ? List.of(places.getFirst().getFirst().host())
                : places.stream().map(ofInstance -> ofInstance.getFirst().host()).distinct().toList();
    }

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
            came++;
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

    /** Returns whether a full statement can be written at once, or a reader waits for unwritten records. */
    private boolean isWaitedFor() {
        synchronized (waiting) {
            return waiting.size() >= options.togetherMax() || bytes >= TOGETHER_BYTES_MAX || !readers.isEmpty();
        }
    }

    /** Writes one batch; false if there is none. Never fails. */
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
        long gone = size;
        return written(together)
                .onFailure().invoke(failure -> {
                    notWritten.increment(together.size());
                    LOG.warnf("records of decisions dropped count=%d cause=%s", together.size(), failure);
                })
                .onFailure().recoverWithNull()
                .invoke(() -> settled(together.size(), gone))
                .replaceWith(true);
    }

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
                .chain(part -> part.records() < options.partRecords() || isTurnPutOff
                        ? Uni.createFrom().voidItem()
                        // The records are written, whether or not the next partition could be begun.
                        : store.turn(options.partRecords(), options.partSeconds())
                                .onFailure().invoke(failure -> {
                                    isTurnPutOff = true;
                                    LOG.warnf("partition of decisions not ended cause=%s", failure);
                                })
                                .onFailure().recoverWithNull()
                                .replaceWithVoid());
    }

    private Uni<RecordStore.Written> written(List<DecisionRow> rows, int triesLeft) {
        return store.write(rows)
                .onFailure(DecisionRecords::isWithoutPartition).recoverWithUni(failure -> triesLeft > 1
                        ? store.mend().replaceWith((RecordStore.Written) null)
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

    /** Returns the record; null if it does not exist or was deleted. First writes this replica's waiting records. */
    public Uni<RecordedDecision> find(UUID id) {
        return written().chain(() -> store.find(id)).map(row -> row == null ? null : new RecordedDecision(row));
    }

    /** Returns the latest records first. First writes this replica's waiting records. */
    public Uni<RecordPage<RecordedDecision>> list(RecordSearch search) {
        return written().chain(() -> store.list(search)).map(page -> new RecordPage<>(
                page.records().stream().map(RecordedDecision::listed).toList(), page.hasMore()));
    }

    /** Returns the instances that a request gave this name, see {@link RecordStore#NAMED}. */
    public Uni<List<NamedInstance>> named(String name) {
        return written().chain(() -> store.named(name));
    }

    /**
     * Returns the requests by which each instance was placed or moved: its latest three decisions that found a host,
     * the latest first. Leaves out instances without any, or whose requests were too large to keep.
     */
    public Uni<List<RecordedRequest>> requestsOf(List<UUID> instances) {
        return written().chain(() -> store.requestsOf(instances));
    }

    /**
     * Returns requests to place instances, in the order they arrived, with up to 4 MiB of bodies in all.
     *
     * @param since the earliest time; null: the latest requests
     */
    public Uni<List<RecordedSelection>> selections(@Nullable Instant since, int limit) {
        return written().chain(() -> store.selections(since, limit));
    }

    /** Completes once all records accepted before are written or dropped. */
    Uni<Void> written() {
        Uni<Void> all = Uni.createFrom().emitter(emitter -> {
            boolean mustWait;
            boolean gathers = false;
            synchronized (waiting) {
                mustWait = settled < came;
                if (mustWait) {
                    readers.add(new Reader(came, emitter));
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

    /** Writes the waiting records. */
    void stop(@Observes ShutdownEvent stopping) {
        try {
            Uni.createFrom().deferred(this::writeSome)
                    .repeat().whilst(wrote -> wrote)
                    .onItem().ignoreAsUni()
                    .chain(() -> written())
                    .await().atMost(STOP_MAX);
        } catch (RuntimeException late) {
            LOG.warnf("records of decisions dropped at the end cause=%s", (Object) late);
        }
    }
}
