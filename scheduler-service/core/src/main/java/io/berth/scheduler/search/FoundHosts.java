package io.berth.scheduler.search;

import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostSources;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.host.states.HostTable;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.request.RequestedDestination;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Creates the host states for placement's candidates, with the names of hosts that are not registered. */
@Singleton
class FoundHosts {
    /** Maximum trees for which the caller's thread creates host states; for more, a worker thread creates all. */
    private static final int NEW_QUICK_MAX = 64;
    /** Maximum trees of a response that is processed on the caller's thread. */
    private static final int QUICK_MAX = 4_000;

    private final ProviderNames names;
    private final HostTable table = new HostTable();

    FoundHosts(ProviderNames names) {
        this.names = names;
    }

    /** The result of creating the host states. */
    sealed interface Result {}

    record Hosts(HostStates states) implements Result {}

    /** The names could not be read from placement. */
    record Unreachable(String why) implements Result {}

    /**
     * Creates the host states. Queries placement only if the name of an unregistered host is unknown or too old.
     *
     * @param namesByUuid uuid to name of unregistered hosts that the request names; if not empty, all candidates are on
     *     hosts that the request names
     * @param serviceDownTime time without a report after which a compute service counts as down
     * @param destination restricts the hosts; null for all
     */
    Uni<Result> of(
            AllocationCandidates candidates,
            RegistrySnapshot registry,
            Map<String, String> namesByUuid,
            Duration serviceDownTime,
            @Nullable RequestedDestination destination,
            String requestId) {
        boolean hasNames = !namesByUuid.isEmpty();
        var sources = new HostSources(registry, hasNames ? namesByUuid : names.lastKnown(), serviceDownTime);
        return states(candidates, sources, destination).chain(states -> {
            if (states.unregistered().isEmpty()
                    || (states.unnamedCount() == 0 && (hasNames || names.areFresh()))) {
                return Uni.createFrom().item(new Hosts(states));
            }
            return names.of(Set.copyOf(states.unregistered()), requestId).chain(answer -> switch (answer) {
                case ProvidersResult.Unreachable(String why) -> Uni.createFrom().item(new Unreachable(why));
                case ProvidersResult.Listed(Map<String, String> read) ->
                    states(candidates, new HostSources(registry, read, serviceDownTime), destination).map(Hosts::new);
            });
        });
    }

    /** Creates the host states on the caller's thread if that is quick, else on a worker thread. */
    private Uni<HostStates> states(
            AllocationCandidates candidates, HostSources sources, @Nullable RequestedDestination destination) {
        HostStates quickResult = candidates.treeCount() > QUICK_MAX
                ? null
                : table.find(candidates, sources, destination, NEW_QUICK_MAX);
        return quickResult != null
                ? Uni.createFrom().item(quickResult)
                : DecisionWorkers.aside(() -> table.find(candidates, sources, destination, Integer.MAX_VALUE));
    }
}
