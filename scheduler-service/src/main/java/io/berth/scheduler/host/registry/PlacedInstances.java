package io.berth.scheduler.host.registry;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Registers instances on the hosts they were claimed on. Requests that end while a statement is under way share the
 * next one, and so its commit: what registration costs per decision falls as load rises, and a lone one never waits for
 * company. Whoever waits here is a decision under way, and those are bounded. Any thread may call; the answer comes on
 * the caller's Vert.x context.
 */
@Singleton
public class PlacedInstances {
    /** Requests of which the instances are written in one statement. */
    static final int REQUESTS_MAX = 128;

    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    private final PlacedInstanceStore store;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private boolean writing;

    PlacedInstances(PlacedInstanceStore store) {
        this.store = store;
    }

    /**
     * The instances of one request.
     *
     * @param bodies their records as JSON text, one per uuid in the same order
     */
    record Placed(UUID[] uuids, String[] bodies) {}

    private record Waiter(Placed placed, UniEmitter<? super Void> emitter) {}

    /** @param hosts one per instance uuid of the request, in the same order */
    public Uni<Void> add(RequestSpec spec, List<HostState> hosts) {
        Placed placed = new Placed(
                spec.instanceUuids().stream().map(UUID::fromString).toArray(UUID[]::new),
                hosts.stream().map(host -> PlacedInstanceStore.body(spec, host)).toArray(String[]::new));
        return spec.instanceGroup() == null || spec.instanceGroup().uuid() == null
                ? add(placed)
                : store.add(placed, UUID.fromString(spec.instanceGroup().uuid()));
    }

    Uni<Void> add(Placed placed) {
        Uni<Void> added = Uni.createFrom().emitter(emitter -> {
            boolean begin;
            synchronized (waiting) {
                waiting.add(new Waiter(placed, emitter));
                begin = !writing;
                writing = true;
            }
            if (begin) {
                write();
            }
        });
        Context caller = Vertx.currentContext();
        return caller == null ? added : added.emitOn(task -> caller.runOnContext(ignored -> task.run()));
    }

    /** One statement at a time; its end begins the next while anyone waits. */
    private void write() {
        List<Waiter> together = next();
        if (!together.isEmpty()) {
            written(together).subscribe().with(ignored -> write());
        }
    }

    /** A statement takes no uuid twice: a request that repeats one waits for the next, and so do those behind it. */
    private List<Waiter> next() {
        List<Waiter> next = new ArrayList<>();
        Set<UUID> taken = new HashSet<>();
        synchronized (waiting) {
            while (next.size() < REQUESTS_MAX && !waiting.isEmpty()) {
                List<UUID> uuids = Arrays.asList(waiting.peek().placed().uuids());
                if (!next.isEmpty() && !Collections.disjoint(taken, uuids)) {
                    break;
                }
                taken.addAll(uuids);
                next.add(waiting.poll());
            }
            writing = !next.isEmpty();
        }
        return next;
    }

    /** Every waiter has its answer when this completes; never fails. One that cannot be written fails nobody else. */
    private Uni<Void> written(List<Waiter> together) {
        return Uni.createFrom().deferred(() -> store.add(together.stream().map(Waiter::placed).toList()))
                .ifNoItem().after(WRITE_MAX).fail()
                .onItem().invoke(() -> together.forEach(waiter -> waiter.emitter().complete(null)))
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
}
