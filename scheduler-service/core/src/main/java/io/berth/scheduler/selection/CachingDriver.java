package io.berth.scheduler.selection;

import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.extension.FactSources;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.DecisionWorkers;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The driver {@code caching_scheduler}: filters and weighs the hosts of {@link HostCache}. It neither queries
 * candidates per request nor claims, so a selected host may turn out to be full; the client then tries the alternates.
 * <br>Source: nova {@code scheduler/caching_scheduler.py}, last in 2018.
 */
@Singleton
class CachingDriver {
    private final HostCache cache;
    private final FactSources facts;
    private final Derivation derivation;
    private final Decisions decisions;

    CachingDriver(HostCache cache, FactSources facts, Derivation derivation, Decisions decisions) {
        this.cache = cache;
        this.facts = facts;
        this.derivation = derivation;
        this.decisions = decisions;
    }

    Uni<SelectionOutcome> place(SelectionRequest request, SchedulingInputs.Detail detail, DecisionTrace trace) {
        SchedulingInputs inputs = decisions.inputs(detail, trace.phases());
        return derivation.derive(request, trace)
                .chain(Step.then(complete -> place(
                        complete.spec(), request.returnAlternates(), inputs, trace.request().requestId())))
                .map(step -> Step.endOf(step).outcome());
    }

    private Uni<Step<SelectionOutcome>> place(
            RequestSpec spec, boolean withAlternates, SchedulingInputs inputs, String requestId) {
        return cache.hosts(requestId)
                .chain(read -> facts.find(spec, read, inputs.filters()))
                .chain(attest -> DecisionWorkers.onWorker(() -> cache.decide(hosts -> decide(
                        hostsInCell(hosts, spec).stream().map(attest).toList(), spec, withAlternates, inputs))))
                .map(Step.Next::new);
    }

    private SelectionOutcome decide(
            List<HostState> hosts, RequestSpec spec, boolean withAlternates, SchedulingInputs inputs) {
        // The candidates of cached hosts have no allocations, so there are no amounts to compare with the capacity.
        Scheduling scheduling = Scheduling.begin(spec, hosts, inputs).place(amounts -> true);
        SelectionOutcome outcome = SelectionOutcome.of(scheduling.decision(withAlternates), "");
        if (outcome instanceof SelectionOutcome.Selected) {
            cache.charge(scheduling.done().stream().map(Scheduling.Placed::after).toList());
        }
        return outcome;
    }

    /** Returns the hosts in the cell to which the request is restricted; all hosts without a restriction. */
    private static List<HostState> hostsInCell(List<HostState> hosts, RequestSpec spec) {
        var destination = spec.requestedDestination();
        String cell = destination == null || destination.allowCrossCellMove() ? null : destination.cellUuid();
        return cell == null
                ? hosts
                : hosts.stream().filter(host -> cell.equals(host.cellUuid())).toList();
    }
}
