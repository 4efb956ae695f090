package io.berth.scheduler.claim;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Works off the recorded releases, one after the other, every {@value #EVERY_MS} ms. A claim that is absent is looked
 * for again until it is {@value #ABSENT_SECONDS} s old: by then a lost request cannot commit any more.
 */
@Singleton
class ReleaseRetries {
    private static final Logger LOG = Logger.getLogger(ReleaseRetries.class);
    private static final long EVERY_MS = 2_000;
    private static final int PER_RUN_MAX = 100;
    private static final double ABSENT_SECONDS = 120;
    private static final double FIRST_PAUSE_SECONDS = 2;
    private static final double PAUSE_SECONDS_MAX = 120;

    private final Releases releases;
    private final PendingReleaseStore pending;
    private final Vertx vertx;
    private final AtomicBoolean running = new AtomicBoolean();
    private long timer = -1;

    ReleaseRetries(Releases releases, PendingReleaseStore pending, Vertx vertx) {
        this.releases = releases;
        this.pending = pending;
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent started) {
        timer = vertx.setPeriodic(EVERY_MS, tick -> {
            if (running.compareAndSet(false, true)) {
                run().onTermination().invoke(() -> running.set(false)).subscribe().with(
                        done -> {},
                        failure -> LOG.warnf("releases not worked off cause=%s", failure));
            }
        });
    }

    void stop(@Observes ShutdownEvent stopping) {
        vertx.cancelTimer(timer);
    }

    /** Until none is due, or {@value #PER_RUN_MAX} were looked at. */
    Uni<Void> run() {
        return Uni.createFrom().deferred(() -> pending.workOnOne(this::workOn))
                .repeat().atMost(PER_RUN_MAX)
                .select().first(worked -> worked)
                .onItem().ignoreAsUni();
    }

    private Uni<PendingReleaseStore.Verdict> workOn(PendingRelease release) {
        return releases.attempt(release.consumer(), release.claim(), release.requestId()).map(outcome -> {
            LOG.infof("release consumer=%s attempt=%d outcome=%s", release.consumer(), release.attempts(), outcome);
            return switch (outcome) {
                case DONE -> PendingReleaseStore.Verdict.FINISHED;
                case ABSENT -> release.ageSeconds() >= ABSENT_SECONDS
                        ? PendingReleaseStore.Verdict.FINISHED
                        : again(release);
                case AGAIN -> again(release);
            };
        });
    }

    private static PendingReleaseStore.Verdict again(PendingRelease release) {
        double pause = FIRST_PAUSE_SECONDS * Math.pow(2, Math.min(release.attempts(), 10));
        return new PendingReleaseStore.Verdict(Math.min(pause, PAUSE_SECONDS_MAX));
    }
}
