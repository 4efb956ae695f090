package io.berth.scheduler.lease;

import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Finishes what was left open, whoever began it: every {@value #EVERY_MS} ms, one record of a kind after the other. Old
 * records go, too.
 */
@Singleton
public class OpenWork {
    private static final Logger LOG = Logger.getLogger(OpenWork.class);
    private static final long EVERY_MS = 1_000;
    private static final long PRUNE_EVERY_MS = 3_600_000;
    private static final int PER_RUN_MAX = 100;
    private static final double FIRST_PAUSE_SECONDS = 1;
    private static final double PAUSE_SECONDS_MAX = 30;

    private final List<OpenRecords> kinds;
    private final Vertx vertx;
    private final List<Long> timers = new ArrayList<>();

    OpenWork(@All List<OpenRecords> kinds, Vertx vertx) {
        this.kinds = kinds;
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent started) {
        for (OpenRecords kind : kinds) {
            AtomicBoolean running = new AtomicBoolean();
            timers.add(vertx.setPeriodic(EVERY_MS, tick -> {
                if (running.compareAndSet(false, true)) {
                    run(kind).onTermination().invoke(() -> running.set(false)).subscribe().with(
                            done -> {},
                            failure -> LOG.warnf("open %s not worked off cause=%s", kind.name(), failure));
                }
            }));
            timers.add(vertx.setPeriodic(PRUNE_EVERY_MS, tick -> kind.prune().subscribe().with(
                    removed -> LOG.debugf("%s pruned count=%d", kind.name(), removed),
                    failure -> LOG.warnf("%s not pruned cause=%s", kind.name(), failure))));
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        timers.forEach(vertx::cancelTimer);
    }

    /** Until none is due, or {@value #PER_RUN_MAX} were looked at. */
    public static Uni<Void> run(OpenRecords kind) {
        return Uni.createFrom().deferred(kind::workOnOne)
                .repeat().atMost(PER_RUN_MAX)
                .select().first(worked -> worked)
                .onItem().ignoreAsUni();
    }

    /** Until a record that could not be finished is due again. */
    public static double pauseSeconds(int attempts) {
        return Math.min(FIRST_PAUSE_SECONDS * Math.pow(2, Math.min(attempts, 10)), PAUSE_SECONDS_MAX);
    }
}
