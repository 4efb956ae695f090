package io.berth.scheduler.host.registry.snapshot;

import io.berth.context.Recurring;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Deletes old rows of the tables of registry changes and heartbeats once a minute. Rows of heartbeats are deleted
 * earlier ({@link RegistryFeedStore#prune}). Replicas may prune concurrently.
 */
@Singleton
class RegistryPruning {
    private static final Duration EVERY = Duration.ofMinutes(1);
    /** Age at which registry changes are deleted. A replica whose last read is older reads the whole registry. */
    private static final Duration KEPT = Duration.ofMinutes(10);

    private final RegistryFeedStore store;

    RegistryPruning(RegistryFeedStore store) {
        this.store = store;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(EVERY, () -> store.prune(KEPT), "registry changes not pruned");
    }
}
