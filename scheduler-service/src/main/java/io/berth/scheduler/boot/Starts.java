package io.berth.scheduler.boot;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Writes the records of boots that begin. Requests that begin while a statement is under way share the next one, and so
 * its commit: what a record costs falls as load rises, and a lone one never waits for company. Whoever waits here is a
 * decision under way, and those are bounded. Any thread may call; the answer comes on the caller's Vert.x context.
 */
@Singleton
class Starts {
    /** Requests of which the records are written in one statement. */
    static final int REQUESTS_MAX = 128;

    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    private final BootStore store;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private boolean writing;

    Starts(BootStore store) {
        this.store = store;
    }

    private record Waiter(Start start, UniEmitter<? super Long> emitter) {
        boolean meets(Set<Object> taken) {
            return taken.contains(start.asked().key())
                    || !Collections.disjoint(taken, start.asked().instances());
        }
    }

    /** Of how many of its instances the boot has the word; -1 where its record is another's. */
    Uni<Long> write(Start start) {
        Uni<Long> written = Uni.createFrom().emitter(emitter -> {
            boolean begin;
            synchronized (waiting) {
                waiting.add(new Waiter(start, emitter));
                begin = !writing;
                writing = true;
            }
            if (begin) {
                write();
            }
        });
        Context caller = Vertx.currentContext();
        return caller == null ? written : written.emitOn(task -> caller.runOnContext(ignored -> task.run()));
    }

    /** One statement at a time; its end begins the next while anyone waits. */
    private void write() {
        List<Waiter> together = next();
        if (!together.isEmpty()) {
            written(together).subscribe().with(ignored -> write());
        }
    }

    /** A statement takes no key and no instance twice: who repeats one waits for the next, and so do those behind. */
    private List<Waiter> next() {
        List<Waiter> next = new ArrayList<>();
        Set<Object> taken = new HashSet<>();
        synchronized (waiting) {
            while (next.size() < REQUESTS_MAX && !waiting.isEmpty()) {
                if (!next.isEmpty() && waiting.peek().meets(taken)) {
                    break;
                }
                Waiter waiter = waiting.poll();
                taken.add(waiter.start().asked().key());
                taken.addAll(waiter.start().asked().instances());
                next.add(waiter);
            }
            writing = !next.isEmpty();
        }
        return next;
    }

    /** Every waiter has its answer when this completes; never fails. One that cannot be written fails nobody else. */
    private Uni<Void> written(List<Waiter> together) {
        return Uni.createFrom()
                .deferred(() -> store.start(together.stream().map(Waiter::start).toList(), Leases.LEASE.toSeconds()))
                .ifNoItem().after(WRITE_MAX).fail()
                .onItem().invoke(owned -> together.forEach(waiter -> answer(waiter, owned)))
                .replaceWithVoid()
                .onFailure().recoverWithUni(failure -> {
                    if (together.size() == 1) {
                        together.getFirst().emitter().fail(failure);
                        return Uni.createFrom().voidItem();
                    }
                    return Multi.createFrom().iterable(together)
                            .onItem().transformToUniAndConcatenate(waiter -> written(List.of(waiter)))
                            .onItem().ignoreAsUni();
                });
    }

    private static void answer(Waiter waiter, Map<UUID, Long> owned) {
        waiter.emitter().complete(owned.getOrDefault(waiter.start().token(), -1L));
    }
}
