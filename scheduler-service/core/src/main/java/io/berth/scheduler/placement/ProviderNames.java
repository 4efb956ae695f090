package io.berth.scheduler.placement;

import io.berth.context.CallerContext;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Names of the resource providers nobody registered as compute nodes. Kept for a minute, and for another while they
 * are read anew: a provider's name hardly ever changes, and reading all of them per decision would cost more than the
 * decision. Whoever waits at the same moment waits for the same reading, which has megabytes.
 */
@Singleton
public class ProviderNames {
    private static final long KEEP_NANOS = Duration.ofSeconds(60).toNanos();

    private final PlacementClient placement;
    private volatile Known known = new Known(Map.of(), 0);
    /** The reading under way; null if there is none. Guarded by this. */
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

    /** What was read last, however long ago; empty if nothing was. The same object until names are read again. */
    public Map<String, String> lastKnown() {
        return known.namesByUuid();
    }

    /** Whether {@link #lastKnown} may be used without asking {@link #of}. */
    public boolean areFresh() {
        return known.isFresh();
    }

    /**
     * At least the names of these, as far as placement knows them; asks placement only for names not known. On the
     * caller's Vert.x context.
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
        // One that began before these were known may not name them; one that begins from now on does.
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
