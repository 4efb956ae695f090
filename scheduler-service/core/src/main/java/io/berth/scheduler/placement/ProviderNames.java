package io.berth.scheduler.placement;

import io.berth.context.CallerContext;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Caches the names of all resource providers, for callers that need the name of a provider which is not registered as a
 * compute node. Names hardly ever change, and a list of all providers costs more than a decision. So the names are used
 * for a minute without a query, and for a second minute while one query refreshes them. Concurrent callers share a
 * query, because its response has megabytes. Thread-safe.
 */
@Singleton
public class ProviderNames {
    /** Age up to which names are used without a query. */
    private static final long KEEP_NANOS = Duration.ofSeconds(60).toNanos();

    private final PlacementClient placement;
    private volatile ReadNames lastRead = new ReadNames(Map.of(), 0);
    /** The read in progress; null if there is none. Guarded by this. */
    private @Nullable Uni<ProvidersResult> readInProgress;

    public ProviderNames(PlacementClient placement) {
        this.placement = placement;
    }

    private record ReadNames(Map<String, String> namesByUuid, long readAtNanos) {
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
     * Returns the names by uuid of all providers as last read, however long ago; empty before the first read. Returns
     * the same object until the next read.
     */
    public Map<String, String> lastKnown() {
        return lastRead.namesByUuid();
    }

    /** Returns whether {@link #lastKnown} may be used without calling {@link #listWith}. */
    public boolean areFresh() {
        return lastRead.isFresh();
    }

    /**
     * Returns the names of all providers. Queries placement if the cache lacks one of the given providers or is too
     * old; a given provider that is still missing then does not exist. Without given providers, returns what the cache
     * has, however old. Completes on the caller's Vert.x context.
     */
    public Uni<ProvidersResult> listWith(Set<String> uuids, String requestId) {
        ReadNames now = lastRead;
        if (uuids.isEmpty() || (now.isYoungerThan(2 * KEEP_NANOS) && now.hasAll(uuids))) {
            if (!uuids.isEmpty() && !now.isFresh()) {
                sharedRead(requestId).subscribe().with(ignored -> {});
            }
            return Uni.createFrom().item(new ProvidersResult.Listed(now.namesByUuid()));
        }
        Executor caller = CallerContext.executor();
        // The shared read may have begun before these providers existed. If their names are missing, a second read,
        // which begins now, has them.
        Uni<ProvidersResult> complete = sharedRead(requestId).chain(
                answer -> answer instanceof ProvidersResult.Listed && !lastRead.hasAll(uuids)
                        ? sharedRead(requestId)
                        : Uni.createFrom().item(answer));
        return complete.emitOn(caller);
    }

    /** Returns the read in progress, or begins one. */
    private synchronized Uni<ProvidersResult> sharedRead(String requestId) {
        if (readInProgress == null) {
            readInProgress = readAll(requestId).onTermination().invoke(this::afterRead).memoize().indefinitely();
        }
        return readInProgress;
    }

    private synchronized void afterRead() {
        readInProgress = null;
    }

    private Uni<ProvidersResult> readAll(String requestId) {
        return placement.listProviders(requestId).invoke(answer -> {
            if (answer instanceof ProvidersResult.Listed listed) {
                lastRead = new ReadNames(listed.namesByUuid(), System.nanoTime());
            }
        });
    }
}
