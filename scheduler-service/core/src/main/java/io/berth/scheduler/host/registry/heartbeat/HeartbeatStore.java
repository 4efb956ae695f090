package io.berth.scheduler.host.registry.heartbeat;

import io.berth.context.CallerContext;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Stores heartbeats of compute services. One statement runs at a time, and stores the heartbeats that arrived before it
 * started, in order of arrival, for about {@value #SERVICES_MAX} services. Further heartbeats wait for the next
 * statement. A call completes after its heartbeats are stored, on the caller's Vert.x context. Thread-safe.
 */
@Singleton
public class HeartbeatStore {
    /**
     * Params: 1 service uuids. Sets the last heartbeat of these services to now, except for services whose row is
     * locked. Returns a row per existing service: {@code uuid} and {@code is_heard} (whether its heartbeat was stored).
     * Skipping locked rows keeps one locked service from delaying the others, and prevents deadlocks; the caller
     * retries the skipped services.
     */
    static final String BEAT = """
            WITH free AS (
                 SELECT uuid FROM services WHERE uuid = ANY($1) FOR NO KEY UPDATE SKIP LOCKED),
            heard AS (
                 UPDATE services SET last_heartbeat = now() FROM free WHERE services.uuid = free.uuid
                 RETURNING services.uuid)
            SELECT services.uuid, heard.uuid IS NOT NULL AS is_heard
              FROM services LEFT JOIN heard ON heard.uuid = services.uuid
             WHERE services.uuid = ANY($1)
            """;

    /**
     * Maximum services whose heartbeats wait for a statement; beyond it, callers fail with 503. 20,000 services that
     * send a heartbeat every ten seconds fill this queue only if no statement runs for ten seconds.
     */
    private static final int WAITING_MAX = 20_000;
    /**
     * Services per statement. Because all services of a request share a statement, a statement may have more: the
     * services of its last request.
     */
    private static final int SERVICES_MAX = 1_000;
    /** Milliseconds between two statements, in which heartbeats for the next statement accumulate. */
    private static final long PAUSE_MS = 20;

    /** Time limit of a statement, and of the retries for a locked row. */
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);
    private static final long WAIT_MAX_NANOS = WRITE_MAX.toNanos();

    private final Pool pool;
    private final Vertx vertx;
    /** Callers in order of arrival. The lock of this object guards this field and the next two. */
    private List<Waiter> waiters = new ArrayList<>();
    /** Number of services whose heartbeats the callers in {@link #waiters} wait for. */
    private int waitingServices;
    /** True while a statement runs or the timer for the next one is set. */
    private boolean isWriting;

    HeartbeatStore(@ReactiveDataSource("decisions") Pool pool, Vertx vertx) {
        this.pool = pool;
        this.vertx = vertx;
    }

    /**
     * A caller. Both sets are mutable; only the thread that handles a statement's result changes them.
     *
     * @param pending services whose heartbeats are not stored yet
     * @param unknown services that do not exist
     * @param sinceNanos arrival by {@link System#nanoTime}
     */
    private record Waiter(
            Set<UUID> pending, Set<UUID> unknown, long sinceNanos, UniEmitter<? super Set<UUID>> emitter) {}

    /** Stores a heartbeat. Returns false if the service does not exist. Fails like {@link #beat(Set)}. */
    public Uni<Boolean> beat(UUID service) {
        return beat(Set.of(service)).map(Set::isEmpty);
    }

    /**
     * Stores heartbeats and returns the services that do not exist. Fails with ApiFault (503) if too many heartbeats
     * wait, or if the row of a service stays locked for 10 s; fails with the database's error or a timeout if the
     * statement fails.
     */
    Uni<Set<UUID>> beat(Set<UUID> services) {
        Uni<Set<UUID>> written = Uni.createFrom().emitter(emitter -> {
            var waiter = new Waiter(new HashSet<>(services), new HashSet<>(), System.nanoTime(), emitter);
            boolean startsWriting;
            synchronized (this) {
                if (waitingServices + services.size() > WAITING_MAX) {
                    emitter.fail(new ApiFault(
                            ErrorCode.OVERLOADED, "too many heartbeats wait to be written; retry later"));
                    return;
                }
                add(waiter);
                startsWriting = !isWriting;
                isWriting = true;
            }
            if (startsWriting) {
                write();
            }
        });
        return written.emitOn(CallerContext.executor());
    }

    /** Queues a caller. The current thread must hold the lock of this object. */
    private void add(Waiter waiter) {
        waiters.add(waiter);
        waitingServices += waiter.pending().size();
    }

    /**
     * Runs a statement for the callers that wait. After it ends, a timer calls this method again. If no caller waits by
     * then, the method returns, and the next call of {@link #beat(Set)} starts it.
     */
    private void write() {
        List<Waiter> callers = takeNext();
        if (callers.isEmpty()) {
            return;
        }
        Set<UUID> services = new HashSet<>();
        callers.forEach(waiter -> services.addAll(waiter.pending()));
        Uni.createFrom().deferred(() -> pool.preparedQuery(BEAT).execute(Tuple.of(services.toArray(UUID[]::new))))
                .ifNoItem().after(WRITE_MAX).fail()
                .subscribe().with(
                        rows -> {
                            Set<UUID> locked = new HashSet<>();
                            // The loop removes the services that exist.
                            Set<UUID> unknown = services;
                            rows.forEach(row -> {
                                unknown.remove(row.getUUID("uuid"));
                                if (!row.getBoolean("is_heard")) {
                                    locked.add(row.getUUID("uuid"));
                                }
                            });
                            callers.forEach(waiter -> handleResult(waiter, locked, unknown));
                            vertx.setTimer(PAUSE_MS, now -> write());
                        },
                        failure -> {
                            callers.forEach(waiter -> waiter.emitter().fail(failure));
                            vertx.setTimer(PAUSE_MS, now -> write());
                        });
    }

    /** Removes and returns the callers whose heartbeats the next statement stores. Empty if no caller waits. */
    private synchronized List<Waiter> takeNext() {
        List<Waiter> next = new ArrayList<>();
        int services = 0;
        for (Waiter waiter : waiters) {
            if (services >= SERVICES_MAX) {
                break;
            }
            services += waiter.pending().size();
            next.add(waiter);
        }
        waiters = new ArrayList<>(waiters.subList(next.size(), waiters.size()));
        waitingServices -= services;
        isWriting = !next.isEmpty();
        return next;
    }

    /**
     * Processes a statement's result for a caller. Completes the caller if none of its services was locked. Otherwise
     * queues it again for its locked services only, or fails it if it has waited longer than {@link #WRITE_MAX}.
     */
    private void handleResult(Waiter waiter, Set<UUID> locked, Set<UUID> unknown) {
        waiter.pending().removeIf(service -> {
            if (unknown.contains(service)) {
                waiter.unknown().add(service);
            }
            return !locked.contains(service);
        });
        if (waiter.pending().isEmpty()) {
            waiter.emitter().complete(waiter.unknown());
        } else if (System.nanoTime() - waiter.sinceNanos() > WAIT_MAX_NANOS) {
            waiter.emitter().fail(new ApiFault(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "heartbeat not stored: the service's row is locked by another transaction; send it again: "
                            + waiter.pending()));
        } else {
            synchronized (this) {
                add(waiter);
            }
        }
    }
}
