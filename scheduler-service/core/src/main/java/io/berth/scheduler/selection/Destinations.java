package io.berth.scheduler.selection;

import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.config.Driver;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.instance.PlacedInstanceStore;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Selects the destinations of instances with the scheduler driver of nova that is configured. {@link SelectLoop} is the
 * filter scheduler; the other drivers do not claim.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 */
@Singleton
public class Destinations {
    private static final Logger LOG = Logger.getLogger(Destinations.class);

    private final ConfiguredOptions configured;
    private final SelectLoop loop;
    private final ChanceDriver chance;
    private final CachingDriver caching;
    private final ServerGroups groups;
    private final PlacedInstanceStore placedInstances;
    private final DecisionLog log;

    Destinations(
            ConfiguredOptions configured,
            SelectLoop loop,
            ChanceDriver chance,
            CachingDriver caching,
            ServerGroups groups,
            PlacedInstanceStore placedInstances,
            DecisionLog log) {
        this.configured = configured;
        this.loop = loop;
        this.chance = chance;
        this.caching = caching;
        this.groups = groups;
        this.placedInstances = placedInstances;
        this.log = log;
    }

    /**
     * Selects hosts for instances. The filter scheduler claims the hosts; the other drivers only register the instances
     * on them. A request without claims and the check of a rebuild do neither; with the caching driver, the filter
     * scheduler decides this check.
     *
     * @param requestKey the identity of the request, by which the filter scheduler recognizes repetitions
     * @param detail how much of the decision is kept for the response; ignored by the chance driver
     */
    public Uni<SelectionOutcome> select(
            SelectionRequest request, IdempotencyKey requestKey, SchedulingInputs.Detail detail, DecisionTrace trace) {
        boolean isCheck = request.spec().schedulerHints().asksForRebuildCheck();
        boolean claims = request.claims() && !isCheck;
        return switch (driver()) {
            case FILTER_SCHEDULER -> loop.select(request, claims ? requestKey : null, null, detail, trace);
            case CACHING_SCHEDULER -> isCheck
                    ? loop.select(request, null, null, detail, trace)
                    : log.runRecorded(request.spec(), trace, () -> caching.place(request, detail, trace)
                            .call(outcome -> claims ? register(request.spec(), outcome, trace) : nothing()));
            case CHANCE_SCHEDULER -> log.runRecorded(request.spec(), trace, () -> chance
                    .place(request.spec(), request.returnAlternates(), requestKey.requestId())
                    .call(outcome -> claims ? register(request.spec(), outcome, trace) : nothing()));
        };
    }

    /**
     * Selects hosts with the filter scheduler, and claims them with the caller's strategy.
     *
     * @param claiming null for a dry run
     */
    public Uni<SelectionOutcome> select(SelectionRequest request, @Nullable ClaimStrategy claiming,
            DecisionTrace trace) {
        return loop.select(request, null, claiming, SchedulingInputs.Detail.COUNTS, trace);
    }

    /** Records a request that failed before {@link #select} was called. */
    public void recordFailed(DecisionTrace trace, Throwable failure) {
        log.recordFailed(trace, failure);
    }

    public Driver driver() {
        return configured.options().scheduler().driver();
    }

    /**
     * Checks that the driver claims, because instances cannot be moved otherwise. Throws ApiFault (409) if it does not.
     */
    public void requireMoves() {
        if (driver() != Driver.FILTER_SCHEDULER) {
            throw new ApiFault(
                    ErrorCode.CONFLICT,
                    "moves need the filter_scheduler: " + driver().optionName() + " claims nothing");
        }
    }

    private static Uni<Void> nothing() {
        return Uni.createFrom().voidItem();
    }

    /**
     * Registers the instances of a driver that does not claim, so that later requests for the same server group see
     * them. Does nothing if no hosts were selected. Never fails: a failure is logged.
     */
    private Uni<Void> register(RequestSpec spec, SelectionOutcome outcome, DecisionTrace trace) {
        if (!(outcome instanceof SelectionOutcome.Selected selected)) {
            return nothing();
        }
        List<HostState> hosts = selected.decision().selections().stream().map(List::getFirst).toList();
        // The spec of the first round contains the server group that was found for the request.
        RequestSpec scheduled = selected.decision().rounds().isEmpty()
                ? spec
                : selected.decision().rounds().getFirst().round().spec();
        return trace.phases()
                .during(Phase.REGISTER, () -> groups.join(
                        scheduled, placedInstances.add(scheduled, hosts).replaceWith(true)))
                .replaceWithVoid()
                .onFailure().invoke(failure -> LOG.warnf(
                        "selected, but instances not registered request=%s cause=%s",
                        trace.request().requestId(), failure))
                .onFailure().recoverWithNull();
    }
}
