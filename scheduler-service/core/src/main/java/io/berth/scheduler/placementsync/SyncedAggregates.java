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
 * Delays the response to a change of a host aggregate until placement has it, as nova-api does: otherwise the next
 * request would find the host in its former aggregates. It does not wait for hosts that were tried and postponed
 * because placement does not respond or refuses.
 *
 * <p>Source: nova {@code compute/api.py} (AggregateAPI.add_host_to_aggregate).
 */
@Singleton
class SyncedAggregates implements PlacementCopy {
    private static final int HOSTS_MAX = 100;
    private static final int FIRST_PAUSE_MS = 10;
    private static final int PAUSE_MS_MAX = 250;

    private final SyncRuns runs;
    private final SyncStore store;
    private final Duration waitMax;

    /** @param waitMax how long a change of a host aggregate waits for placement to have it */
    SyncedAggregates(
            SyncRuns runs,
            SyncStore store,
            @ConfigProperty(name = "berth.mirror.wait-max", defaultValue = "5S") Duration waitMax) {
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
                .uni(Looks::new, looks -> looks.next(aggregates))
                .until(untried -> untried == 0 || System.nanoTime() - until >= 0)
                .onItem().ignoreAsUni()
                .chain(() -> store.state(null, aggregates, HOSTS_MAX))
                .map(state -> state.pending() == 0 ? null : state.render(true));
    }

    /** Polls with increasing pauses, without one before the first query. */
    private final class Looks {
        private int pauseMs;

        Uni<Long> next(Collection<UUID> aggregates) {
            Uni<Long> question = store.untried(aggregates);
            Uni<Long> answer = pauseMs == 0
                    ? question
                    : Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(pauseMs)).chain(() -> question);
            pauseMs = Math.clamp(2L * pauseMs, FIRST_PAUSE_MS, PAUSE_MS_MAX);
            return answer;
        }
    }
}
