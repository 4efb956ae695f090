package io.berth.scheduler.search;

import io.berth.scheduler.host.KeptByUse;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostSources;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersAnswer;
import io.berth.scheduler.request.RequestedDestination;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** Host states of the last answers of placement, by query: the next answer's are made from them. Bounded. */
@Singleton
class HostsByQuery {
    private static final int QUERIES_MAX = 512;
    /** Over all queries; one is about half a kilobyte, and what of placement's answer it holds on to. */
    private static final long HOSTS_MAX = 100_000;
    /** Hosts that are new, and hosts in all, up to which the work is quick. */
    private static final int NEW_QUICK_MAX = 64;
    private static final int QUICK_MAX = 4_000;

    private final ProviderNames names;
    private final KeptByUse<String, HostStates> kept =
            new KeptByUse<>(QUERIES_MAX, HOSTS_MAX, each -> each.states().size() + 1);

    HostsByQuery(ProviderNames names) {
        this.names = names;
    }

    /** What became of the hosts. */
    sealed interface Result {}

    record Hosts(HostStates states) implements Result {}

    record Unreachable(String why) implements Result {}

    /**
     * Asks placement for nothing but names that are not known yet, or too old.
     *
     * @param namesByUuid names that are known already; if there are any, the hosts are these alone
     */
    Uni<Result> of(
            String query,
            AllocationCandidates candidates,
            RegistrySnapshot registry,
            Map<String, String> namesByUuid,
            Duration serviceDownTime,
            @Nullable RequestedDestination destination,
            String requestId) {
        HostStates found = kept.find(query);
        HostStates before = found == null ? HostStates.NONE : found;
        boolean quick = candidates.roots().size() <= QUICK_MAX
                && before.countNew(candidates, NEW_QUICK_MAX + 1) <= NEW_QUICK_MAX;
        boolean isNamed = !namesByUuid.isEmpty();
        var sources = new HostSources(registry, isNamed ? namesByUuid : names.lastKnown(), serviceDownTime);
        return Computing.run(quick, () -> before.next(candidates, sources, destination))
                .chain(states -> named(states, isNamed, requestId, read -> Computing.aside(() -> states.next(
                        candidates, new HostSources(registry, read, serviceDownTime), destination))))
                .invoke(result -> {
                    // Hosts of one named cell are not those of the next request.
                    boolean general = destination == null || destination.cellUuid() == null;
                    if (general && result instanceof Hosts(HostStates states)) {
                        kept.keep(query, states);
                    }
                });
    }

    private Uni<Result> named(
            HostStates states,
            boolean areKnown,
            String requestId,
            Function<Map<String, String>, Uni<HostStates>> again) {
        if (states.unregisteredCount() == 0 || (states.unnamedCount() == 0 && (areKnown || names.areFresh()))) {
            return Uni.createFrom().item(new Hosts(states));
        }
        return names.of(states.unregistered(), requestId).chain(answer -> switch (answer) {
            case ProvidersAnswer.Unreachable(String why) -> Uni.createFrom().item(new Unreachable(why));
            case ProvidersAnswer.Listed listed -> again.apply(listed.namesByUuid()).map(Hosts::new);
        });
    }
}
