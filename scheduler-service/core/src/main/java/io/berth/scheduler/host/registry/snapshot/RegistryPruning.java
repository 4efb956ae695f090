package io.berth.scheduler.host.registry.snapshot;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Removes old changes once a minute; several replicas may do so at the same time. */
@Singleton
class RegistryPruning {
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** A replica that is farther behind reads everything again. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final RegistryFeedStore store;

    RegistryPruning(RegistryFeedStore store) {
        this.store = store;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(EVERY, () -> store.prune(KEPT), "registry changes not pruned");
    }
}
