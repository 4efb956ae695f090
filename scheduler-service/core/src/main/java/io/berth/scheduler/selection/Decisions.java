package io.berth.scheduler.selection;

import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.candidate.RemainingCapacity;
import io.berth.scheduler.search.DecisionWorkers;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.SplittableRandom;

/** Filters and weighs the hosts of a request, with the enabled classes. */
@Singleton
class Decisions {
    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final ResponseWriter responseWriter;

    Decisions(ConfiguredOptions configured, EnabledClasses enabled, ResponseWriter responseWriter) {
        this.configured = configured;
        this.enabled = enabled;
        this.responseWriter = responseWriter;
    }

    /** @param phases measures the times of filters and weighers */
    SchedulingInputs inputs(SchedulingInputs.Detail detail, Phases phases) {
        return new SchedulingInputs(
                configured.options(), enabled.filters(), enabled.weighers(), new SplittableRandom(), detail,
                phases.and(enabled.times()));
    }

    /**
     * Ranks the hosts for the first instance of a request, and plans the first claim ({@link Rounds#planFirstClaim}).
     * For a decision without claims, decides the whole request and ends it. Runs on a worker thread, unless the request
     * is for one instance and {@linkplain Scheduling#isQuick has few hosts}.
     *
     * @param claiming how the hosts are claimed; null for a decision without claims
     */
    Uni<Step<Rounds>> decide(
            SelectionRequest request, HostSearch.Hosts found, RegistrySnapshot registry,
            @Nullable ClaimStrategy claiming, SchedulingInputs.Detail detail, DecisionTrace trace) {
        SchedulingInputs inputs = inputs(detail, trace.phases());
        boolean isQuick = Scheduling.isQuick(found.spec(), found.hosts());
        boolean isSingle = found.spec().instanceCount() == 1;
        return claiming == null
                ? DecisionWorkers.run(isQuick && isSingle, () -> new Step.End<>(SelectionOutcome.of(
                        Decision.decide(
                                found.spec(), found.hosts(), request.returnAlternates(), inputs,
                                new RemainingCapacity(found.candidates())::tryTake),
                        "")))
                : DecisionWorkers.run(isQuick && isSingle, () -> new Step.Next<>(new Rounds(
                        Scheduling.begin(found.spec(), found.hosts(), inputs), isQuick, found.spec(),
                        request.returnAlternates(), registry, claiming,
                        selected -> claiming.isRecorded()
                                ? selected.with(responseWriter.render(
                                        selected, request.spec(), detail == SchedulingInputs.Detail.HOSTS, trace))
                                : selected,
                        trace)
                        .planFirstClaim(new RemainingCapacity(found.candidates()))));
    }
}
