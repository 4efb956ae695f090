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
 * Selects the destinations of instances by nova's drivers. {@link SelectLoop} is the course of the filter scheduler;
 * the others claim nothing.
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
    private final PlacedInstanceStore placed;
    private final DecisionLog log;

    Destinations(
            ConfiguredOptions configured,
            SelectLoop loop,
            ChanceDriver chance,
            CachingDriver caching,
            ServerGroups groups,
            PlacedInstanceStore placed,
            DecisionLog log) {
        this.configured = configured;
        this.loop = loop;
        this.chance = chance;
        this.caching = caching;
        this.groups = groups;
        this.placed = placed;
        this.log = log;
    }

    /** Places instances, claims as the driver does, and registers them if the driver claims nothing itself. */
    public Uni<Outcome> select(SelectionRequest request, IdempotencyKey asked, SchedulingInputs.Detail detail, DecisionTrace trace) {
        boolean isCheck = request.spec().schedulerHints().asksForRebuildCheck();
        boolean claims = request.claims() && !isCheck;
        return switch (driver()) {
            case FILTER_SCHEDULER -> loop.select(request, claims ? asked : null, null, detail, trace);
            case CACHING_SCHEDULER -> isCheck
                    ? loop.select(request, null, null, detail, trace)
                    : log.ended(request.spec(), trace, () -> caching.place(request, detail, trace)
                            .call(outcome -> claims ? register(request.spec(), outcome, trace) : nothing()));
            case CHANCE_SCHEDULER -> log.ended(request.spec(), trace, () -> chance
                    .place(request.spec(), request.returnAlternates(), asked.requestId())
                    .call(outcome -> claims ? register(request.spec(), outcome, trace) : nothing()));
        };
    }

    /**
     * Selects hosts and claims them with the caller's strategy, or only decides.
     *
     * @param claiming how the hosts found are claimed; null to decide only
     */
    public Uni<Outcome> select(SelectionRequest request, @Nullable ClaimStrategy claiming, DecisionTrace trace) {
        return loop.select(request, null, claiming, SchedulingInputs.Detail.COUNTS, trace);
    }

    /** Records a request that failed before {@link #select} was called. */
    public void failed(DecisionTrace trace, Throwable failure) {
        log.failed(trace, failure);
    }

    public Driver driver() {
        return configured.options().scheduler().driver();
    }

    /** Fails with ApiFault (409) under a driver that claims nothing, as instances cannot be moved then. */
    public void requireMoves() {
        if (driver() != Driver.FILTER_SCHEDULER) {
            throw new ApiFault(
                    ErrorCode.CONFLICT, "moves need the filter_scheduler: " + driver().optionName() + " claims nothing");
        }
    }

    private static Uni<Void> nothing() {
        return Uni.createFrom().voidItem();
    }

    /** Registers instances under drivers that claim nothing, so that the next request of the same group sees them. */
    private Uni<Void> register(RequestSpec spec, Outcome outcome, DecisionTrace trace) {
        if (!(outcome instanceof Outcome.Selected selected)) {
            return nothing();
        }
        List<HostState> hosts = selected.decision().selections().stream().map(List::getFirst).toList();
        // The first round's spec names the server group that was found for the request.
        RequestSpec scheduled = selected.decision().rounds().isEmpty()
                ? spec
                : selected.decision().rounds().getFirst().round().spec();
        return trace.phases()
                .during(Phase.REGISTER, () -> groups.join(scheduled, placed.add(scheduled, hosts).replaceWith(true)))
                .replaceWithVoid()
                .onFailure().invoke(failure -> LOG.warnf(
                        "selected, but instances not registered request=%s cause=%s",
                        trace.request().requestId(), failure))
                .onFailure().recoverWithNull();
    }
}
