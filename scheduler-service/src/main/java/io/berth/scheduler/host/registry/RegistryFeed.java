package io.berth.scheduler.host.registry;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/**
 * The registry in memory, proven fresh per question: whoever asks gets a picture that holds everything committed
 * before the question. Questions that come while a catch-up runs share the next one, so there is at most one
 * statement at a time, however many ask.
 */
@Singleton
public class RegistryFeed {
    private final RegistryFeedStore store;
    private final RegistryMetrics metrics;
    /** Guarded by this: who waits for the next catch-up, and whether one runs. */
    private List<UniEmitter<? super RegistrySnapshot>> waiting = new ArrayList<>();
    private boolean running;
    /** Only touched by the running catch-up; null until everything was read once. */
    private volatile RegistryFeedStore.Picture held;

    RegistryFeed(RegistryFeedStore store, RegistryMetrics metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    /** Holds every change committed before the call. Fails when the database does not answer. */
    public Uni<RegistrySnapshot> current() {
        Uni<RegistrySnapshot> fresh = Uni.createFrom().emitter(emitter -> {
            boolean start;
            synchronized (this) {
                waiting.add(emitter);
                start = !running;
                running = true;
            }
            if (start) {
                run();
            }
        });
        Context caller = Vertx.currentContext();
        return caller == null ? fresh : fresh.emitOn(task -> caller.runOnContext(ignored -> task.run()));
    }

    private void run() {
        List<UniEmitter<? super RegistrySnapshot>> served;
        synchronized (this) {
            if (waiting.isEmpty()) {
                running = false;
                return;
            }
            served = waiting;
            waiting = new ArrayList<>();
        }
        long askedNanos = System.nanoTime();
        RegistryFeedStore.Picture before = held;
        boolean anew = before == null || before.registry().instancesHaveRoomAgain();
        Uni<RegistryFeedStore.Picture> next = anew ? store.readEverything() : store.catchUp(before);
        next.subscribe().with(
                picture -> {
                    held = picture;
                    metrics.answered(askedNanos, picture.registry());
                    served.forEach(emitter -> emitter.complete(picture.registry()));
                    run();
                },
                failure -> {
                    // A server that comes back may have gone back in time: nothing held counts any more.
                    held = null;
                    metrics.answered(askedNanos, null);
                    served.forEach(emitter -> emitter.fail(failure));
                    run();
                });
    }
}
