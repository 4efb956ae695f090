package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.edit.PlacementCopy;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Delays the response to a change of a host aggregate until placement has the change, as nova-api does, for a limited
 * time. Without the delay, the client's next request could still find the hosts in their former aggregates. Delays the
 * responses to other edits of hosts if the client requests it. Does not wait for a host whose attempt failed because
 * placement does not respond or refuses the change.
 *
 * <p>Source: nova {@code compute/api.py} (AggregateAPI.add_host_to_aggregate).
 */
@Singleton
class SyncedEdits implements PlacementCopy {
    /** Maximum hosts that the response lists. */
    private static final int HOSTS_MAX = 100;
    /** Pause before the second query of the pending hosts; later pauses double up to {@link #PAUSE_MS_MAX}. */
    private static final int FIRST_PAUSE_MS = 10;
    private static final int PAUSE_MS_MAX = 250;
    /**
     * Maximum responses that wait at a time, which limits the queries. Further responses are not delayed, and list the
     * hosts that are pending.
     */
    private static final int WAITING_MAX = 64;

    private final SyncRuns runs;
    private final SyncStore store;
    private final Duration waitMax;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param waitMax how long the response to a change of a host aggregate waits for placement at most */
    SyncedEdits(
            SyncRuns runs,
            SyncStore store,
            @ConfigProperty(name = "berth.placement-sync.wait-max", defaultValue = "5S") Duration waitMax) {
        this.runs = runs;
        this.store = store;
        this.waitMax = waitMax;
    }

    @Override
    public Uni<ObjectNode> awaitPlacement(Scope scope, @Nullable Duration wait) {
        // While this replica does not synchronize hosts, a response waits only if the client requests it.
        if (wait == null && !runs.isWorking()) {
            return Uni.createFrom().nullItem();
        }
        runs.runNow();
        return Uni.createFrom().deferred(() -> {
            boolean mayWait = waiting.incrementAndGet() <= WAITING_MAX;
            return poll(scope, !mayWait ? Duration.ZERO : wait == null ? waitMax : wait)
                    .onTermination().invoke(waiting::decrementAndGet);
        });
    }

    private Uni<ObjectNode> poll(Scope scope, Duration limit) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        return Multi.createBy().repeating()
                .uni(Polls::new, polls -> polls.next(scope))
                .until(untried -> untried == 0 || System.nanoTime() - deadlineNanos >= 0)
                .onItem().ignoreAsUni()
                .chain(() -> store.state(scope, HOSTS_MAX))
                .map(state -> state.pending() == 0 ? null : state.render(runs.enabled()));
    }

    /** Queries the number of pending hosts, with an increasing pause before each query but the first. */
    private final class Polls {
        private int pauseMs;

        Uni<Long> next(Scope scope) {
            Uni<Long> query = store.untried(scope);
            Uni<Long> result = pauseMs == 0
                    ? query
                    : Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(pauseMs)).chain(() -> query);
            pauseMs = Math.clamp(2L * pauseMs, FIRST_PAUSE_MS, PAUSE_MS_MAX);
            return result;
        }
    }
}
