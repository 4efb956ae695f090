package io.berth.context;

import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Runs work at intervals on an event loop. Runs of the same work never overlap, and none begins after the service has
 * stopped.
 */
@Singleton
public class Recurring {
    private static final Logger LOG = Logger.getLogger(Recurring.class);

    private final Vertx vertx;
    private final Queue<Long> timers = new ConcurrentLinkedQueue<>();

    public Recurring(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Runs work at intervals. A run is skipped if the previous one is still running. A failure is logged and the work
     * runs again next time.
     *
     * @param pause interval before the first run and between the starts of runs; at least a millisecond
     * @param failed the log message for work that failed
     */
    public void every(Duration pause, Supplier<? extends Uni<?>> work, String failed) {
        AtomicBoolean underWay = new AtomicBoolean();
        timers.add(vertx.setPeriodic(pause.toMillis(), tick -> {
            if (underWay.compareAndSet(false, true)) {
                OwnContext.of(vertx).runOnContext(ignored -> Uni.createFrom().deferred(work::get)
                        .onTermination().invoke(() -> underWay.set(false))
                        .subscribe().with(done -> {}, failure -> LOG.warnf("%s cause=%s", failed, failure)));
            }
        }));
    }

    /** Runs last at the stop, because work that is drained before may need the timers. */
    void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent stopping) {
        timers.forEach(vertx::cancelTimer);
    }
}
