package io.berth.scheduler.placement;

import io.berth.context.CallerContext;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Names of resource providers that are not registered as compute nodes. They are cached for a minute, and for another
 * while they are read again: a provider's name hardly ever changes, and reading all of them per decision would cost
 * more than the decision. Concurrent callers share one read, because the response has megabytes.
 */
@Singleton
public class ProviderNames {
    private static final long KEEP_NANOS = Duration.ofSeconds(60).toNanos();

    private final PlacementClient placement;
    private volatile Known known = new Known(Map.of(), 0);
    /** The read in progress; null if there is none. Guarded by this. */
    private Uni<ProvidersAnswer> underWay;

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
     * Returns the names as last read, however long ago; empty before the first read. It is the same object until the
     * next read.
     */
    public Map<String, String> lastKnown() {
        return known.namesByUuid();
    }

    /** Returns whether {@link #lastKnown} may be used without calling {@link #of}. */
    public boolean areFresh() {
        return known.isFresh();
    }

    /**
     * Returns at least the names of these providers, as far as placement knows them; queries placement only if a name
     * is missing or too old. Completes on the caller's Vert.x context.
     */
    public Uni<ProvidersAnswer> of(Set<String> uuids, String requestId) {
        Known now = known;
        if (uuids.isEmpty() || (now.isYoungerThan(2 * KEEP_NANOS) && now.hasAll(uuids))) {
            if (!uuids.isEmpty() && !now.isFresh()) {
                shared(requestId).subscribe().with(ignored -> {});
            }
            return Uni.createFrom().item(new ProvidersAnswer.Listed(now.namesByUuid()));
        }
        Executor caller = CallerContext.executor();
        // A read that began before these providers existed may lack them; one that begins now does not.
        Uni<ProvidersAnswer> read = shared(requestId).chain(
                answer -> answer instanceof ProvidersAnswer.Listed && !known.hasAll(uuids)
                        ? shared(requestId)
                        : Uni.createFrom().item(answer));
        return read.emitOn(caller);
    }

    private synchronized Uni<ProvidersAnswer> shared(String requestId) {
        if (underWay == null) {
            underWay = all(requestId).onTermination().invoke(this::ended).memoize().indefinitely();
        }
        return underWay;
    }

    private synchronized void ended() {
        underWay = null;
    }

    private Uni<ProvidersAnswer> all(String requestId) {
        return placement.listProviders(requestId).invoke(answer -> {
            if (answer instanceof ProvidersAnswer.Listed listed) {
                known = new Known(listed.namesByUuid(), System.nanoTime());
            }
        });
    }
}
