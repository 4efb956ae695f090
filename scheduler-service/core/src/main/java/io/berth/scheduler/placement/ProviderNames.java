package io.berth.scheduler.placement;

import io.berth.context.CallerContext;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Caches the names of resource providers that are not registered as compute nodes. Names hardly ever change, and a list
 * of all providers costs more than a decision. So names are used for a minute without a query, and for a second minute
 * while one query refreshes them. Concurrent callers share a query, because its response has megabytes. Thread-safe.
 */
@Singleton
public class ProviderNames {
    /** Age up to which names are used without a query. */
    private static final long KEEP_NANOS = Duration.ofSeconds(60).toNanos();

    private final PlacementClient placement;
    private volatile Known known = new Known(Map.of(), 0);
    /** The read in progress; null if there is none. Guarded by this. */
    private Uni<ProvidersResult> underWay;

    public ProviderNames(PlacementClient placement) {
        this.placement = placement;
    }

    private record Known(Map<String, String> namesByUuid, long readAtNanos) {
        boolean isFresh() {
            return isYoungerThan(KEEP_NANOS);
        }

        boolean isYoungerThan(long nanos) {
            return !namesByUuid.isEmpty() && System.nanoTime() - readAtNanos < nanos;
        }

        boolean hasAll(Set<String> uuids) {
            return namesByUuid.keySet().containsAll(uuids);
        }
    }

    /**
     * Returns uuid to name of all providers as last read, however long ago; empty before the first read. Returns the
     * same object until the next read.
     */
    public Map<String, String> lastKnown() {
        return known.namesByUuid();
    }

    /** Returns whether {@link #lastKnown} may be used without calling {@link #of}. */
    public boolean areFresh() {
        return known.isFresh();
    }

    /**
     * Returns the names of at least these providers, as far as placement knows them. Queries placement if a name is
     * missing or the names are too old. Completes on the caller's Vert.x context.
     */
    public Uni<ProvidersResult> of(Set<String> uuids, String requestId) {
        Known now = known;
        if (uuids.isEmpty() || (now.isYoungerThan(2 * KEEP_NANOS) && now.hasAll(uuids))) {
            if (!uuids.isEmpty() && !now.isFresh()) {
                shared(requestId).subscribe().with(ignored -> {});
            }
            return Uni.createFrom().item(new ProvidersResult.Listed(now.namesByUuid()));
        }
        Executor caller = CallerContext.executor();
        // The shared read may have begun before these providers existed. If it lacks them, a second read does not.
        Uni<ProvidersResult> read = shared(requestId).chain(
                answer -> answer instanceof ProvidersResult.Listed && !known.hasAll(uuids)
                        ? shared(requestId)
                        : Uni.createFrom().item(answer));
        return read.emitOn(caller);
    }

    /** Returns the read in progress, or begins one. */
    private synchronized Uni<ProvidersResult> shared(String requestId) {
        if (underWay == null) {
            underWay = all(requestId).onTermination().invoke(this::afterRead).memoize().indefinitely();
        }
        return underWay;
    }

    private synchronized void afterRead() {
        underWay = null;
    }

    private Uni<ProvidersResult> all(String requestId) {
        return placement.listProviders(requestId).invoke(answer -> {
            if (answer instanceof ProvidersResult.Listed listed) {
                known = new Known(listed.namesByUuid(), System.nanoTime());
            }
        });
    }
}
