package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.edit.PlacementCopy;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Delays the response to a change of a host aggregate until placement has the change, as nova-api does. Otherwise the
 * client's next request could still find the hosts in their former aggregates. Does not wait for hosts whose attempt
 * failed, because placement does not respond or refuses the change.
 *
 * <p>Source: nova {@code compute/api.py} (AggregateAPI.add_host_to_aggregate).
 */
@Singleton
class SyncedAggregates implements PlacementCopy {
    /** Maximum hosts that the response lists. */
    private static final int HOSTS_MAX = 100;
    /** Pause before the second query of the pending hosts; later pauses double up to {@link #PAUSE_MS_MAX}. */
    private static final int FIRST_PAUSE_MS = 10;
    private static final int PAUSE_MS_MAX = 250;

    private final SyncRuns runs;
    private final SyncStore store;
    private final Duration waitMax;

    /** @param waitMax how long the response to a change of a host aggregate waits for placement */
    SyncedAggregates(
            SyncRuns runs,
            SyncStore store,
            @ConfigProperty(name = "berth.placement-sync.wait-max", defaultValue = "5S") Duration waitMax) {
        this.runs = runs;
        this.store = store;
        this.waitMax = waitMax;
    }

    @Override
    public Uni<ObjectNode> pending(Collection<UUID> aggregates) {
        if (!runs.working()) {
            return Uni.createFrom().nullItem();
        }
        runs.lookNow();
        long until = System.nanoTime() + waitMax.toNanos();
        return Multi.createBy().repeating()
                .uni(Polls::new, polls -> polls.next(aggregates))
                .until(untried -> untried == 0 || System.nanoTime() - until >= 0)
                .onItem().ignoreAsUni()
                .chain(() -> store.state(null, aggregates, HOSTS_MAX))
                .map(state -> state.pending() == 0 ? null : state.render(true));
    }

    /** Queries the number of pending hosts, with an increasing pause before each query but the first. */
    private final class Polls {
        private int pauseMs;

        Uni<Long> next(Collection<UUID> aggregates) {
            Uni<Long> query = store.untried(aggregates);
            Uni<Long> result = pauseMs == 0
                    ? query
                    : Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(pauseMs)).chain(() -> query);
            pauseMs = Math.clamp(2L * pauseMs, FIRST_PAUSE_MS, PAUSE_MS_MAX);
            return result;
        }
    }
}
