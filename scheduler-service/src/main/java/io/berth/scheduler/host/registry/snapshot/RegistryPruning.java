package io.berth.scheduler.host.registry.snapshot;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Removes old changes once a minute; replicas may do so at the same moment. */
@Singleton
class RegistryPruning {
    private static final Logger LOG = Logger.getLogger(RegistryPruning.class);
    private static final long EVERY_MS = 60_000;
    /** A replica that is further behind reads everything again. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final RegistryFeedStore store;
    private final Vertx vertx;
    private long timer = -1;

    RegistryPruning(RegistryFeedStore store, Vertx vertx) {
        this.store = store;
        this.vertx = vertx;
    }

    void start(@Observes StartupEvent started) {
        timer = vertx.setPeriodic(EVERY_MS, tick -> store.prune(KEPT).subscribe().with(
                removed -> LOG.debugf("registry changes pruned count=%d", removed),
                failure -> LOG.warnf("registry changes not pruned cause=%s", failure)));
    }

    void stop(@Observes ShutdownEvent stopping) {
        vertx.cancelTimer(timer);
    }
}
