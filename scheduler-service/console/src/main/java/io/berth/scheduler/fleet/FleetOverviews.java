package io.berth.scheduler.fleet;

import io.berth.context.CallerContext;
import io.berth.context.SharedCall;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.OverviewResult;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;

/**
 * Builds the response to {@code GET /v1/fleet}, which may have several megabytes, on a worker thread. All calls during
 * a build, or within a second after its end, get the result of this build. Thread-safe.
 */
@Singleton
class FleetOverviews {
    /** How long a result is shared after its build. */
    private static final Duration SHARED_AFTER_BUILD = Duration.ofSeconds(1);

    private final ResourceProviders providers;
    private final RegistryFeed registry;
    private final Duration serviceDownTime;
    private final Uni<byte[]> shared;
    /** The id of the latest request. The next build sends this id to placement. */
    private volatile String requestId = "";

    FleetOverviews(ResourceProviders providers, RegistryFeed registry, ConfiguredOptions configured) {
        this.providers = providers;
        this.registry = registry;
        this.serviceDownTime = Duration.ofSeconds(configured.options().defaults().serviceDownTimeSeconds());
        this.shared = SharedCall.of(Uni.createFrom().deferred(() -> build(requestId)), SHARED_AFTER_BUILD);
    }

    /**
     * Returns the JSON of the fleet, from a build that is in progress or ended at most a second ago, on the caller's
     * context. Fails with {@link ApiFault}: 503 if placement does not respond or its response is unreadable, 501 if it
     * is not Berth's.
     */
    Uni<byte[]> latest(String requestId) {
        this.requestId = requestId;
        return shared.emitOn(CallerContext.executor());
    }

    private Uni<byte[]> build(String requestId) {
        return registry.current().chain(registered -> providers.overview(requestId)
                .emitOn(Infrastructure.getDefaultExecutor())
                .map(result -> switch (result) {
                    case OverviewResult.Received(byte[] columns) -> combine(columns, registered);
                    case OverviewResult.NotSupported() -> throw notBerth();
                    case OverviewResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
                }));
    }

    private byte[] combine(byte[] columns, RegistrySnapshot registered) {
        try {
            return new FleetColumns(registered, serviceDownTime).merge(columns);
        } catch (IOException e) {
            throw ApiFault.placementAway("unreadable response: " + e.getMessage());
        }
    }

    /** Returns the error (501) if placement is not Berth's. */
    static ApiFault notBerth() {
        return new ApiFault(
                ErrorCode.NEEDS_BERTH_PLACEMENT, "this placement is not Berth's: it has no route for its whole fleet");
    }
}
