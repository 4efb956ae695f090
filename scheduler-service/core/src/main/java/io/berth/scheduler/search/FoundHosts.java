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

/** Creates the host states for placement's candidates. Reads the names of unregistered hosts from placement. */
@Singleton
class FoundHosts {
    /**
     * Maximum trees whose hosts the caller's thread builds, beside the trees whose hosts are cached. If more must be
     * built, a worker thread processes the whole response.
     */
    private static final int QUICK_BUILDS_MAX = 64;
    /** Maximum trees of a response that is processed on the caller's thread; a larger one goes to a worker thread. */
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
     * Creates the host states. Queries placement only if the name of an unregistered host is unknown, or was read too
     * long ago.
     *
     * @param namesByUuid uuid to name of unregistered hosts that the request names; if not empty, all candidates are on
     *     hosts that the request names
     * @param serviceDownTime maximum age of the last heartbeat of a compute service that is up
     * @param destination its cell restricts the hosts, unless the request may cross cells; null for no restriction
     */
    Uni<Result> create(
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
            return names.listWith(Set.copyOf(states.unregistered()), requestId).chain(answer -> switch (answer) {
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
                : table.find(candidates, sources, destination, QUICK_BUILDS_MAX);
        return quickResult != null
                ? Uni.createFrom().item(quickResult)
                : DecisionWorkers.onWorker(() -> table.find(candidates, sources, destination, Integer.MAX_VALUE));
    }
}
