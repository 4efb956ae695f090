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
 * Closes the records of requests whose planned claim was accepted, after their responses are sent. Records that arrive
 * within {@value #GATHER_MS} ms share a statement. A record that is not closed is harmless: the next request that finds
 * it open settles it. If the record is missing because a standby that lacked it became primary, it is written again,
 * since its client has the response already. Thread-safe.
 */
@Singleton
class Completions {
    private static final Logger LOG = Logger.getLogger(Completions.class);
    private static final long GATHER_MS = 100;
    /** Maximum records per statement. */
    private static final int BATCH_MAX = 512;
    /**
     * Limit in characters for the responses of waiting records; a response has about 2,000. A record beyond the limit
     * stays open until another request finds it or its lease expires.
     */
    private static final long WAITING_MAX = 8L * 1024 * 1024;
    /** Estimated memory of a waiting record without its response, counted in characters. */
    private static final int CONFIRMED_SIZE = 400;
    /** Time limit of one statement, and of the last one at shutdown. */
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    /**
     * A record that is to be closed.
     *
     * @param number first number of the owner's block of fence numbers
     */
    record Completion(RecordStart start, long number) {
        String key() {
            return start.key().key();
        }

        private RequestRecord asPlaced() {
            return start.record(start.answer(), number, new RequestRecord.Placed(), Map.of());
        }

        private int size() {
            return CONFIRMED_SIZE + (start.answer() == null ? 0 : start.answer().length());
        }
    }

    private final RequestRecordStore store;
    private final RequestRollback undo;
    private final RequestLeases leases;
    private final Vertx vertx;
    private final ArrayDeque<Completion> waiting = new ArrayDeque<>();
    private long waitingSize;
    private boolean planned;

    Completions(RequestRecordStore store, RequestRollback undo, RequestLeases leases, Vertx vertx) {
        this.store = store;
        this.undo = undo;
        this.leases = leases;
        this.vertx = vertx;
    }

    /**
     * Schedules a record to be closed. Returns at once; may be called on an event loop.
     *
     * @param number first number of the owner's block of fence numbers
     */
    void add(RecordStart start, long number) {
        boolean plan;
        synchronized (waiting) {
            Completion added = new Completion(start, number);
            if (waitingSize + added.size() > WAITING_MAX) {
                leases.end(number);
                return;
            }
            waiting.add(added);
            waitingSize += added.size();
            plan = !planned;
            planned = true;
        }
        if (plan) {
            writeLater();
        }
    }

    /**
     * Schedules the next statement with a new timer each time: an endless reactive chain would retain everything that
     * it has processed.
     */
    private void writeLater() {
        vertx.setTimer(GATHER_MS, ignored -> write().subscribe().with(wrote -> {
            if (wrote) {
                writeLater();
            }
        }));
    }

    /** Closes up to {@value #BATCH_MAX} waiting records; false if there are none. Never fails. */
    private Uni<Boolean> write() {
        List<Completion> batch = new ArrayList<>();
        synchronized (waiting) {
            while (batch.size() < BATCH_MAX && !waiting.isEmpty()) {
                Completion next = waiting.poll();
                waitingSize -= next.size();
                batch.add(next);
            }
            if (batch.isEmpty()) {
                planned = false;
                return Uni.createFrom().item(false);
            }
        }
        return Uni.createFrom().deferred(() -> close(batch))
                .ifNoItem().after(WRITE_MAX).fail()
                .onFailure().invoke(failure -> LOG.warnf(
                        "request records not closed, they stay open until their leases expire count=%d cause=%s",
                        batch.size(), failure))
                .onFailure().recoverWithNull()
                .invoke(() -> batch.forEach(each -> leases.end(each.number())))
                .replaceWith(true);
    }

    private Uni<Void> close(List<Completion> batch) {
        return store.placedAsPlanned(numbers(batch)).chain(lost -> Multi.createFrom().iterable(batch)
                .select().where(each -> lost.contains(each.key()))
                .onItem().transformToUniAndConcatenate(this::writeAgain)
                .onItem().ignoreAsUni());
    }

    private static Map<String, Long> numbers(List<Completion> batch) {
        Map<String, Long> numbers = new HashMap<>();
        batch.forEach(each -> numbers.put(each.key(), each.number()));
        return numbers;
    }

    /**
     * Writes a lost record again, unless the instances do not hold the allocations any more: then they were released,
     * and the record was deleted with them.
     */
    private Uni<Void> writeAgain(Completion lost) {
        RecordStart start = lost.start();
        return undo.holds(lost.asPlaced(), true).chain(holding -> {
            if (holding != RequestRollback.Holding.AS_IN_RESPONSE) {
                return Uni.createFrom().voidItem();
            }
            LOG.warnf("the record of a placed request is gone, as after a failover: written again key=%s request=%s",
                    lost.key(), start.key().requestId());
            return store.begin(start)
                    .chain(begun -> store.placedAsPlanned(Map.of(lost.key(), begun.number())))
                    .replaceWithVoid();
        });
    }

    void stop(@Observes ShutdownEvent stopping) {
        List<Completion> left;
        synchronized (waiting) {
            left = List.copyOf(waiting);
            waiting.clear();
        }
        if (!left.isEmpty()) {
            // A failure must not escape: the beans that are stopped after this one would never be stopped.
            store.placedAsPlanned(numbers(left))
                    .ifNoItem().after(WRITE_MAX).fail()
                    .onFailure().recoverWithNull()
                    .await().indefinitely();
        }
    }
}
