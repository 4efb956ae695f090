package io.berth.scheduler.job;

import io.berth.context.CallerContext;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.extension.FactSources;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.feed.KnownTrees;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.search.UnknownNames;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs operators' analyses of the present cloud or of a scenario (a cloud with changes that are not made), one at a
 * time, on a worker thread whose priority is lower than that of decisions. An analysis of the cloud stops at a
 * deadline. {@link Snapshot} reads the fields that are not {@code private}.
 */
@Singleton
public class AnalysisJobs {
    final ConfiguredOptions configured;
    final EnabledClasses enabled;
    final PlacementClient placement;
    final KnownTrees trees;
    final ProviderNames names;
    final ResourceProviders providers;
    final HostSearch search;
    final UnknownNames unknownNames;
    final FactSources facts;
    private final RegistryFeed feed;
    private final AnalysisWorkers workers;

    AnalysisJobs(
            ConfiguredOptions configured,
            EnabledClasses enabled,
            PlacementClient placement,
            KnownTrees trees,
            ProviderNames names,
            ResourceProviders providers,
            HostSearch search,
            UnknownNames unknownNames,
            FactSources facts,
            RegistryFeed feed,
            AnalysisWorkers workers) {
        this.configured = configured;
        this.enabled = enabled;
        this.placement = placement;
        this.trees = trees;
        this.names = names;
        this.providers = providers;
        this.search = search;
        this.unknownNames = unknownNames;
        this.facts = facts;
        this.feed = feed;
        this.workers = workers;
    }

    /**
     * Runs an analysis of the present cloud. The wait for the worker counts towards the deadline. The result arrives in
     * the caller's context. Fails with the ApiFault that the analysis throws, and with 503 if too many analyses wait.
     *
     * @param analysis the analysis; runs on the worker, where it may wait for placement
     */
    public <T> Uni<T> run(Deadline deadline, String requestId, Function<Snapshot, T> analysis) {
        Executor caller = CallerContext.executor();
        return feed.current()
                .chain(registry -> workers.run(
                        caller, () -> analysis.apply(new Snapshot(
                                this, registry, deadline, requestId, configured.options(), enabled.filters(),
                                enabled.weighers()))));
    }

    /**
     * Runs an analysis that does not depend on the present cloud, and has no deadline. The result arrives in the
     * caller's context. Fails with the ApiFault that the analysis throws, and with 503 if too many analyses wait.
     */
    public <T> Uni<T> run(Supplier<T> analysis) {
        return workers.run(CallerContext.executor(), analysis);
    }
}
