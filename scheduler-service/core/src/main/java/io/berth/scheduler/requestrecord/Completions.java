package io.berth.scheduler.requestrecord;

import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Closes the records of requests whose planned claim was accepted, after the responses to the requests are sent. The
 * planned claim is the first claim of a request; the response for its success is computed before the claim is sent.
 * Records that arrive within {@value #GATHER_MS} ms share a statement. A record that is not closed is harmless: the
 * next request that finds the record open resolves the outcome, or any replica does after the lease has expired. If a
 * standby of PostgreSQL that lacked a record became primary, the record is written again, because the client has the
 * response already. Thread-safe.
 */
@Singleton
class Completions {
    private static final Logger LOG = Logger.getLogger(Completions.class);
    private static final long GATHER_MS = 100;
    /** Maximum records per statement. */
    private static final int BATCH_MAX = 512;
    /**
     * Maximum characters of the queued records; a response has about 2,000. A record beyond the limit is not queued: it
     * stays open until another request finds it or its lease expires.
     */
    private static final long QUEUED_CHARS_MAX = 8L * 1024 * 1024;
    /** Estimated memory of a queued record without its response, counted in characters. */
    private static final int BASE_CHARS = 400;
    /** Time limit for closing one batch of records, also for the last one at shutdown. */
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    /**
     * A record that is to be closed.
     *
     * @param ownerFirstNumber identifies the owner of the record: the first of the fence numbers that the owner has
     *     drawn for its writes to placement
     */
    record Completion(RecordStart start, long ownerFirstNumber) {
        String key() {
            return start.key().key();
        }

        private RequestRecord closedRecord() {
            return start.record(start.answer(), ownerFirstNumber, new RequestRecord.Placed(), Map.of());
        }

        private int size() {
            return BASE_CHARS + (start.answer() == null ? 0 : start.answer().length());
        }
    }

    private final RequestRecordStore store;
    private final RequestRollback rollback;
    private final RequestLeases leases;
    private final Vertx vertx;
    private final ArrayDeque<Completion> queue = new ArrayDeque<>();
    private long queuedChars;
    private boolean isWritePlanned;

    Completions(RequestRecordStore store, RequestRollback rollback, RequestLeases leases, Vertx vertx) {
        this.store = store;
        this.rollback = rollback;
        this.leases = leases;
        this.vertx = vertx;
    }

    /**
     * Schedules a record to be closed. Returns at once; may be called on an event loop.
     *
     * @param ownerFirstNumber identifies the owner of the record, see {@link Completion}; the lease has the same number
     */
    void add(RecordStart start, long ownerFirstNumber) {
        boolean plan;
        synchronized (queue) {
            Completion completion = new Completion(start, ownerFirstNumber);
            if (queuedChars + completion.size() > QUEUED_CHARS_MAX) {
                // The lease is not renewed any more, so that any replica can resolve the record when it has expired.
                leases.end(ownerFirstNumber);
                return;
            }
            queue.add(completion);
            queuedChars += completion.size();
            plan = !isWritePlanned;
            isWritePlanned = true;
        }
        if (plan) {
            writeLater();
        }
    }

    /**
     * Schedules the next statement with a new timer each time, because an endless reactive chain would retain every
     * record that it has processed.
     */
    private void writeLater() {
        vertx.setTimer(GATHER_MS, ignored -> write().subscribe().with(wrote -> {
            if (wrote) {
                writeLater();
            }
        }));
    }

    /** Closes up to {@value #BATCH_MAX} queued records; false if none is queued. Never fails. */
    private Uni<Boolean> write() {
        List<Completion> batch = new ArrayList<>();
        synchronized (queue) {
            while (batch.size() < BATCH_MAX && !queue.isEmpty()) {
                Completion next = queue.poll();
                queuedChars -= next.size();
                batch.add(next);
            }
            if (batch.isEmpty()) {
                isWritePlanned = false;
                return Uni.createFrom().item(false);
            }
        }
        return Uni.createFrom().deferred(() -> close(batch))
                .ifNoItem().after(WRITE_MAX).fail()
                .onFailure().invoke(failure -> LOG.warnf(
                        "request records not closed, they stay open until their leases expire count=%d cause=%s",
                        batch.size(), failure))
                .onFailure().recoverWithNull()
                .invoke(() -> batch.forEach(each -> leases.end(each.ownerFirstNumber())))
                .replaceWith(true);
    }

    private Uni<Void> close(List<Completion> batch) {
        return store.closeAsPlanned(numbers(batch)).chain(lostKeys -> Multi.createFrom().iterable(batch)
                .select().where(each -> lostKeys.contains(each.key()))
                .onItem().transformToUniAndConcatenate(this::writeAgain)
                .onItem().ignoreAsUni());
    }

    private static Map<String, Long> numbers(List<Completion> batch) {
        Map<String, Long> numbers = new HashMap<>();
        batch.forEach(each -> numbers.put(each.key(), each.ownerFirstNumber()));
        return numbers;
    }

    /**
     * Writes a missing record again if the instances hold the allocations of its response. Otherwise the record was
     * not lost in a failover but deleted, after the allocations had been released. Also does nothing if placement does
     * not respond.
     */
    private Uni<Void> writeAgain(Completion lost) {
        RecordStart start = lost.start();
        return rollback.compareHoldings(lost.closedRecord(), true).chain(holding -> {
            if (holding != RequestRollback.Holding.AS_IN_RESPONSE) {
                return Uni.createFrom().voidItem();
            }
            LOG.warnf("the record of a placed request is gone, as after a failover: written again key=%s request=%s",
                    lost.key(), start.key().requestId());
            return store.begin(start.lost(lost.ownerFirstNumber()))
                    .chain(newRecord -> store.closeAsPlanned(Map.of(lost.key(), newRecord.number())))
                    .replaceWithVoid();
        });
    }

    void stop(@Observes ShutdownEvent stopping) {
        List<Completion> remaining;
        synchronized (queue) {
            remaining = List.copyOf(queue);
            queue.clear();
        }
        if (!remaining.isEmpty()) {
            // A failure must not escape: the beans that are stopped after this one would never be stopped.
            store.closeAsPlanned(numbers(remaining))
                    .ifNoItem().after(WRITE_MAX).fail()
                    .onFailure().recoverWithNull()
                    .await().indefinitely();
        }
    }
}
