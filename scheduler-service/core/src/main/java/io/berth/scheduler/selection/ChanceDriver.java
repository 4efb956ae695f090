package io.berth.scheduler.selection;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Chance;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.DecisionWorkers;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The driver {@code chance_scheduler}: selects any host whose service is up, enabled and not forced down, and which the
 * request does not ignore. It uses no filters, weights, candidates or claims. Hosts that are not registered come from
 * {@link HostCache}.
 * <br>Source: nova {@code scheduler/chance.py}, last in 2018.
 */
@Singleton
class ChanceDriver {
    private final Options options;
    private final RegistryFeed feed;
    private final HostCache cache;

    ChanceDriver(ConfiguredOptions configured, RegistryFeed feed, HostCache cache) {
        this.options = configured.options();
        this.feed = feed;
        this.cache = cache;
    }

    Uni<SelectionOutcome> place(RequestSpec spec, boolean withAlternates, String requestId) {
        return feed.current().chain(registry -> cache.hosts(requestId)
                .chain(cached -> DecisionWorkers.onWorker(
                        () -> select(findAvailableHosts(registry, cached), spec, withAlternates))));
    }

    private List<HostState> findAvailableHosts(RegistrySnapshot registry, Collection<HostState> cached) {
        Duration downTime = Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
        Set<String> registered = new HashSet<>();
        registry.listComputeNodes().forEach(node -> registered.add(node.uuid().toString()));
        List<HostState> hosts = new ArrayList<>(HostStates.registered(registry, downTime, null));
        cached.stream().filter(host -> !registered.contains(host.uuid()))
                .map(host -> HostStates.withCurrentService(host, registry, downTime))
                .forEach(hosts::add);
        hosts.removeIf(host -> host.service().disabled() || !host.service().up() || host.service().forcedDown());
        return hosts;
    }

    private SelectionOutcome select(List<HostState> availableHosts, RequestSpec spec, boolean withAlternates) {
        if (availableHosts.isEmpty()) {
            return new SelectionOutcome.Failed(ErrorCode.NO_VALID_HOST, "Is the appropriate service running?");
        }
        List<HostState> hosts =
                availableHosts.stream().filter(host -> !spec.ignoreHosts().contains(host.host())).toList();
        if (hosts.isEmpty()) {
            return new SelectionOutcome.Failed(ErrorCode.NO_VALID_HOST, "Could not find another compute");
        }
        int perInstanceMax = withAlternates ? options.scheduler().maxAttempts() : 1;
        List<List<HostState>> lists =
                Chance.select(hosts, spec.instanceCount(), perInstanceMax, new SplittableRandom());
        var decision = new Decision(Decision.Result.SELECTED, null, List.of(), lists);
        return new SelectionOutcome.Selected(decision, lists.stream()
                .map(list -> list.stream().map(host -> new Selection(host, 0)).toList())
                .toList());
    }
}
