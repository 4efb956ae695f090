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
     * Runs work at intervals. A run is skipped if the previous run of the same work has not completed. A failure is
     * logged, and the next run takes place as usual.
     *
     * @param interval interval before the first run and between the starts of runs; at least a millisecond
     * @param failureMessage the log message for a failed run; its cause is appended
     */
    public void every(Duration interval, Supplier<? extends Uni<?>> work, String failureMessage) {
        AtomicBoolean isRunning = new AtomicBoolean();
        timers.add(vertx.setPeriodic(interval.toMillis(), tick -> {
            if (isRunning.compareAndSet(false, true)) {
                OwnContext.create(vertx).runOnContext(ignored -> Uni.createFrom().deferred(work::get)
                        .onTermination().invoke(() -> isRunning.set(false))
                        .subscribe().with(done -> {}, failure -> LOG.warnf("%s cause=%s", failureMessage, failure)));
            }
        }));
    }

    /**
     * Cancels the timers. This observer runs last at shutdown, because other observers of the shutdown may complete
     * work that needs the timers.
     */
    void stop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent stopping) {
        timers.forEach(vertx::cancelTimer);
    }
}
