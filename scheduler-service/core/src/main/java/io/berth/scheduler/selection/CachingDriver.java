package io.berth.scheduler.selection;

import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.extension.FactSources;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.Computing;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * {@code caching_scheduler}: filters and weighers on {@link HostCache}. It queries no candidates per request and
 * claims nothing, so a selected host may turn out to be full; the caller then tries the alternates.
 * <br>Source: nova {@code scheduler/caching_scheduler.py}, last in 2018.
 */
@Singleton
class CachingDriver {
    private final HostCache cache;
    private final FactSources facts;

    CachingDriver(HostCache cache, FactSources facts) {
        this.cache = cache;
        this.facts = facts;
    }

    Uni<Outcome> place(RequestSpec spec, boolean withAlternates, SchedulingInputs inputs, String requestId) {
        return cache.hosts(requestId)
                .chain(read -> facts.find(spec, read, inputs.filters()))
                .chain(attest -> Computing.aside(() -> cache.decide(hosts -> decide(
                        inReach(hosts, spec).stream().map(attest).toList(), spec, withAlternates, inputs))));
    }

    private Outcome decide(
            List<HostState> hosts, RequestSpec spec, boolean withAlternates, SchedulingInputs inputs) {
        Scheduling last = Scheduling.begin(spec, hosts, inputs).place(amounts -> true);
        Outcome outcome = Outcome.of(last.decision(withAlternates), "");
        if (outcome instanceof Outcome.Selected) {
            cache.charge(last.done().stream().map(Scheduling.Placed::after).toList());
        }
        return outcome;
    }

    private static List<HostState> inReach(List<HostState> hosts, RequestSpec spec) {
        var destination = spec.requestedDestination();
        String cell = destination == null || destination.allowCrossCellMove() ? null : destination.cellUuid();
        return cell == null
                ? hosts
                : hosts.stream().filter(host -> cell.equals(host.cellUuid())).toList();
    }
}
