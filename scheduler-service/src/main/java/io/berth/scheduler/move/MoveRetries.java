package io.berth.scheduler.move;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Puts back moves that were left open: by a replica that is gone, or because placement was away. Every
 * {@value #EVERY_MS} ms, one after the other. Old records go, too.
 */
@Singleton
class MoveRetries {
    private static final Logger LOG = Logger.getLogger(MoveRetries.class);
    private static final long EVERY_MS = 1_000;
    private static final long PRUNE_EVERY_MS = 3_600_000;
    private static final int PER_RUN_MAX = 100;
    private static final double LEASE_SECONDS = 120;
    private static final Duration KEEP_FAILED = Duration.ofDays(7);
    private static final Duration KEEP_MOVED = Duration.ofDays(90);

    private final MoveUndo undo;
    private final MoveStore store;
    private final Vertx vertx;
    private final AtomicBoolean running = new AtomicBoolean();
    private long timer = -1;
    private long pruneTimer = -1;

    MoveRetries(MoveUndo undo, MoveStore store, Vertx vertx) {
        this.undo = undo;
        this.store = store;
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent started) {
        timer = vertx.setPeriodic(EVERY_MS, tick -> {
            if (running.compareAndSet(false, true)) {
                run().onTermination().invoke(() -> running.set(false)).subscribe().with(
                        done -> {},
                        failure -> LOG.warnf("open moves not worked off cause=%s", failure));
            }
        });
        pruneTimer = vertx.setPeriodic(PRUNE_EVERY_MS, tick -> prune().subscribe().with(
                removed -> LOG.debugf("moves pruned count=%d", removed),
                failure -> LOG.warnf("moves not pruned cause=%s", failure)));
    }

    void stop(@Observes ShutdownEvent stopping) {
        vertx.cancelTimer(timer);
        vertx.cancelTimer(pruneTimer);
    }

    /** Until none is due, or {@value #PER_RUN_MAX} were looked at. */
    Uni<Void> run() {
        return Uni.createFrom().deferred(this::workOnOne)
                .repeat().atMost(PER_RUN_MAX)
                .select().first(worked -> worked)
                .onItem().ignoreAsUni();
    }

    Uni<Integer> prune() {
        return store.prune(KEEP_FAILED.toSeconds(), KEEP_MOVED.toSeconds());
    }

    private Uni<Boolean> workOnOne() {
        return store.takeDue(LEASE_SECONDS).chain(move -> move == null
                ? Uni.createFrom().item(false)
                : undo.undo(move).replaceWith(true));
    }
}
