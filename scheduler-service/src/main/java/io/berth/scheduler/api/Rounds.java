package io.berth.scheduler.api;

import io.berth.scheduler.api.Phases.Phase;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Made;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.NoValidHost;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.RankedHost;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.UUID;

/**
 * Instance after instance: filter, weigh, claim, charge. What fails after a claim has every claim of the request taken
 * back. One object per request; its steps run one after the other.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule).
 */
final class Rounds {
    /** Stands in for a project or user that the request does not name; placement wants one. */
    static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    private static final Outcome PLACED = new Outcome.Failed(ErrorCode.INTERNAL_ERROR, "placed");

    private final SchedulingInputs inputs;
    private final Claiming claiming;
    private final String requestId;
    private final Phases phases;
    private final List<Made> made = new ArrayList<>();
    private Scheduling scheduling;

    Rounds(SchedulingInputs inputs, Claiming claiming, String requestId, Phases phases) {
        this.inputs = inputs;
        this.claiming = claiming;
        this.requestId = requestId;
        this.phases = phases;
    }

    Uni<Outcome> run(RequestSpec spec, List<HostState> hosts, boolean withAlternates) {
        boolean quick = Scheduling.isQuick(spec, hosts, inputs);
        return Computing.run(quick, () -> Scheduling.begin(spec, hosts, inputs)).chain(begun -> {
            scheduling = begun;
            return Multi.createFrom().range(0, begun.instanceCount())
                    .onItem().transformToUniAndConcatenate(index -> placeOne(spec))
                    .select().where(failure -> failure != PLACED)
                    .toUni()
                    .chain(failure -> failure == null ? finish(withAlternates) : takenBack(failure));
        });
    }

    /** {@link #PLACED} if the open round's instance has its host now. */
    private Uni<Outcome> placeOne(RequestSpec spec) {
        List<RankedHost> attempts = scheduling.round().attempts();
        if (attempts.isEmpty()) {
            return Uni.createFrom().item(gaveUp(""));
        }
        Consumer consumer = new Consumer(
                UUID.fromString(scheduling.round().spec().instanceUuid()),
                spec.projectId() == null ? NOBODY : spec.projectId(),
                spec.userId() == null ? NOBODY : spec.userId(),
                requestId);
        List<Claimable<RankedHost>> ranked = new Claimables(attempts);
        var claimed = phases.during(Phase.CLAIM, () -> claiming.claimFirst(consumer, ranked));
        return claimed.chain(placing -> switch (placing) {
            case Placing.Selected<RankedHost>(RankedHost host, AllocationRequest request) -> {
                made.add(new Made(consumer, request));
                yield consume(host);
            }
            case Placing.NoneLeft<RankedHost> none -> Uni.createFrom().item(
                    gaveUp("; " + none.attempts() + " refused, the last with: " + none.lastRefusal()));
            case Placing.Aborted<RankedHost>(String why) -> Uni.createFrom().item(
                    new Outcome.Failed(ErrorCode.ALLOCATION_UPDATE_FAILED, why, scheduling.giveUp()));
            case Placing.InDoubt<RankedHost>(AllocationRequest request, String why) -> claiming
                    .leaveInDoubt(new Made(consumer, request))
                    .replaceWith(new Outcome.Failed(ErrorCode.PLACEMENT_UNAVAILABLE, why, scheduling.giveUp()));
        });
    }

    private Uni<Outcome> consume(RankedHost host) {
        return Computing.run(scheduling.isLastRound(), () -> scheduling.consume(host)).map(next -> {
            scheduling = next;
            return PLACED;
        });
    }

    /** @param claims what became of the claims, if any were tried */
    private Outcome gaveUp(String claims) {
        Decision decision = scheduling.giveUp();
        return decision.error() == null
                ? new Outcome.Failed(ErrorCode.NO_VALID_HOST, NoValidHost.describe(decision) + claims, decision)
                : new Outcome.Failed(ErrorCode.REQUEST_INVALID, decision.error().detail(), decision);
    }

    private Uni<Outcome> finish(boolean withAlternates) {
        return Computing.run(scheduling.instanceCount() == 1, () -> scheduling.finish(withAlternates))
                .chain(decision -> decision.error() == null
                        ? Uni.createFrom().item(new Outcome.Selected(decision, Weights.attach(decision)))
                        : takenBack(new Outcome.Failed(
                                ErrorCode.REQUEST_INVALID, decision.error().detail(), decision)));
    }

    private Uni<Outcome> takenBack(Outcome failure) {
        return claiming.takeBack(made).replaceWith(failure);
    }

    /** What is claimed on a host: its first candidate that filters left; nothing where it has none. */
    static AllocationRequest requestOf(HostState host) {
        AllocationCandidate first = host.allocationCandidates().isEmpty()
                ? AllocationCandidate.NONE
                : host.allocationCandidates().getFirst();
        return new AllocationRequest(first.allocations(), first.mappings());
    }

    /** What would be claimed, made as far down the list as claims are tried. */
    private static final class Claimables extends AbstractList<Claimable<RankedHost>> implements RandomAccess {
        private final List<RankedHost> attempts;

        Claimables(List<RankedHost> attempts) {
            this.attempts = attempts;
        }

        @Override
        public Claimable<RankedHost> get(int index) {
            RankedHost host = attempts.get(index);
            return new Claimable<>(host, requestOf(host.host()));
        }

        @Override
        public int size() {
            return attempts.size();
        }
    }
}
