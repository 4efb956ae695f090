package io.berth.scheduler.selection;

import io.berth.context.Recurring;
import io.berth.scheduler.config.Driver;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.search.DecisionWorkers;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/**
 * Caches the hosts of all cells, for the caching and the chance driver, which do not query placement per request. The
 * cache is filled on first use and every {@code [scheduler] periodic_task_interval} seconds, at most once a second; in
 * between, {@link CachingDriver} charges placed instances to the hosts. Each replica has its own cache.
 *
 * <p>Inventory and usage of all providers with a free VCPU come from placement, by one query for candidates per
 * refresh. Registered hosts without a free VCPU are added from the registry.
 * <br>Source: nova {@code scheduler/caching_scheduler.py}, last in 2018.
 */
@Singleton
class HostCache {
    private static final String ALL_HOSTS = "resources=VCPU:1";
    /** The candidate of every cached host: without allocations, because nothing is claimed. */
    private static final List<AllocationCandidate> UNCLAIMED = List.of(AllocationCandidate.NONE);

    private final Options options;
    private final RegistryFeed feed;
    private final PlacementClient placement;
    private final ProviderNames names;
    /**
     * The cached hosts; null before the first read. The map is replaced under the lock of this object, and never
     * changed.
     */
    private volatile @Nullable Map<HostName, HostState> hosts;

    HostCache(
            ConfiguredOptions configured,
            RegistryFeed feed,
            PlacementClient placement,
            ProviderNames names) {
        this.options = configured.options();
        this.feed = feed;
        this.placement = placement;
        this.names = names;
    }

    void start(@Observes StartupEvent starting, Recurring recurring) {
        if (options.scheduler().driver() != Driver.FILTER_SCHEDULER) {
            long everySeconds = Math.max(1, options.scheduler().periodicTaskIntervalSeconds());
            recurring.every(
                    Duration.ofSeconds(everySeconds), () -> refresh("req-" + UUID.randomUUID()),
                    "cached hosts not refreshed");
        }
    }

    /**
     * Returns the cached hosts. Fills the cache first if it was never filled; fails with ApiFault (503) if this is not
     * possible.
     */
    Uni<Collection<HostState>> hosts(String requestId) {
        Map<HostName, HostState> cached = hosts;
        return cached == null
                ? refresh(requestId).map(refreshed -> cachedHosts().values())
                : Uni.createFrom().item(cached.values());
    }

    /**
     * Runs one decision on the cached hosts, exclusively, so that it sees the charges of all earlier decisions. Must be
     * called on a worker thread, after {@link #hosts}.
     */
    synchronized <T> T decide(Function<List<HostState>, T> decision) {
        return decision.apply(List.copyOf(cachedHosts().values()));
    }

    /**
     * Replaces the hosts on which instances were placed by their state with these instances. Ignores hosts that are not
     * cached any more. Copies the map of all hosts.
     */
    synchronized void charge(List<HostState> charged) {
        Map<HostName, HostState> after = new LinkedHashMap<>(cachedHosts());
        charged.forEach(host -> after.computeIfPresent(HostName.of(host), (_, _) -> withEmptyCandidate(host)));
        hosts = after;
    }

    /** Returns the cached hosts. The cache must have been filled before. */
    private Map<HostName, HostState> cachedHosts() {
        return Objects.requireNonNull(hosts, "the hosts are read before a decision");
    }

    /** Fills the cache from placement and the registry. Fails with ApiFault (503) if placement does not respond. */
    private Uni<Void> refresh(String requestId) {
        return feed.current().chain(registry -> placement
                .allocationCandidates(ALL_HOSTS, requestId)
                .chain(answer -> switch (answer) {
                    case CandidatesResult.Found(AllocationCandidates found) -> refresh(found, registry, requestId);
                    case CandidatesResult.Refused refused -> placementUnavailable(refused.detail());
                    case CandidatesResult.Unreachable(String why) -> placementUnavailable(why);
                }));
    }

    private Uni<Void> refresh(AllocationCandidates found, RegistrySnapshot registry, String requestId) {
        return names.listWith(HostStates.unregisteredRoots(found, registry), requestId)
                .chain(answer -> switch (answer) {
                    case ProvidersResult.Unreachable(String why) -> placementUnavailable(why);
                    case ProvidersResult.Listed listed ->
                        DecisionWorkers.onWorker(() -> collect(found, registry, listed.namesByUuid()))
                                .invoke(this::replaceHosts)
                                .replaceWithVoid();
                });
    }

    private Map<HostName, HostState> collect(
            AllocationCandidates found, RegistrySnapshot registry, Map<String, String> namesByUuid) {
        Duration downTime = Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
        List<HostState> all = new ArrayList<>(HostStates.build(found, registry, namesByUuid, downTime, null));
        all.addAll(HostStates.registered(registry, downTime, null));
        Map<HostName, HostState> collected = new LinkedHashMap<>();
        all.forEach(host -> collected.putIfAbsent(HostName.of(host), withEmptyCandidate(host)));
        return collected;
    }

    private synchronized void replaceHosts(Map<HostName, HostState> collected) {
        hosts = collected;
    }

    /**
     * Returns the host with one candidate without allocations. A decision drops hosts without candidates, but
     * registered hosts without a free VCPU have none, and filters may have removed some of a host's candidates.
     */
    private static HostState withEmptyCandidate(HostState host) {
        return new HostState(host.facts(), UNCLAIMED, Limits.NONE);
    }

    private static <T> Uni<T> placementUnavailable(String why) {
        return Uni.createFrom().failure(
                new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "the hosts cannot be read from placement: " + why));
    }
}
