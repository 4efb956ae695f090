package io.berth.scheduler.selection;

import io.berth.scheduler.claim.AttemptListener;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.instance.PlacedInstanceStore;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.RemainingCapacity;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.DecisionWorkers;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.trace.DecisionTrace;
import io.berth.scheduler.weigher.RankedHost;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * The claims of one attempt of a request. The host of each instance is decided in a round of its own, on the capacity
 * that the earlier instances leave. If the request has a record and all rounds find a host, the hosts of several
 * instances are then claimed in one write. In other cases, and if this write is refused, each instance is claimed
 * before the host of the next instance is decided. A failure rolls back all claims of the attempt. Not thread-safe: the
 * steps run one after the other.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule).
 */
final class Rounds {
    /** Project or user of a claim if the request names none, because placement requires both. */
    static final String UNKNOWN_OWNER = "00000000-0000-0000-0000-000000000000";
    /**
     * Maximum instances that are claimed in one write: as many as one settlement may name. More are claimed one by one.
     */
    private static final int JOINT_INSTANCES_MAX = 1_000;

    private final RequestSpec spec;
    private final boolean withAlternates;
    private final RegistrySnapshot registry;
    private final ClaimStrategy claimStrategy;
    private final UnaryOperator<SelectionOutcome.Selected> renderer;
    private final DecisionTrace trace;
    private final Phases phases;
    /** True if a round has so few hosts that it is decided on the caller's event loop, not on a worker thread. */
    private final boolean isQuick;
    private Scheduling scheduling;
    /**
     * The state in which all instances have a host, so that all are claimed in one write; null if the instances are
     * claimed one by one.
     */
    private @Nullable Scheduling jointScheduling;
    /** The outcome if the first claim holds; null if it cannot be computed before the claim. */
    private @Nullable SelectionOutcome plannedOutcome;
    /** True if the first claim was made as planned and holds, so that {@link #plannedOutcome} is the outcome. */
    private boolean isAsPlanned;
    /** True if the record already has the response, and will be closed after the response is sent. */
    private boolean isClosed;
    /** True if a claim of this attempt holds, or may hold. */
    private boolean mayHold;

    /**
     * @param firstRound has the ranked hosts of the first instance
     * @param renderer adds the rendered response, if the request has a record
     */
    Rounds(
            Scheduling firstRound,
            boolean isQuick,
            RequestSpec spec,
            boolean withAlternates,
            RegistrySnapshot registry,
            ClaimStrategy claimStrategy,
            UnaryOperator<SelectionOutcome.Selected> renderer,
            DecisionTrace trace) {
        this.scheduling = firstRound;
        this.isQuick = isQuick;
        this.spec = spec;
        this.withAlternates = withAlternates;
        this.registry = registry;
        this.claimStrategy = claimStrategy;
        this.renderer = renderer;
        this.trace = trace;
        this.phases = trace.phases();
    }

    /**
     * Plans the first claim, which is for the best host of a single instance, or for the hosts of all of several
     * instances. Computes the outcome for the case that this claim holds. Plans nothing in four cases: the claims have
     * no record; there is no host to claim; a single instance is in a server group that has a uuid; several instances
     * cannot be claimed in one write.
     *
     * @param room tracks the capacity that the instances leave to each other
     */
    Rounds planFirstClaim(RemainingCapacity room) {
        if (!claimStrategy.isRecorded() || scheduling.openRound().attempts().isEmpty()) {
            return this;
        }
        if (scheduling.instanceCount() > 1) {
            Scheduling all = scheduling.place(room::tryTake);
            jointScheduling = all.isComplete() && all.instanceCount() <= JOINT_INSTANCES_MAX ? all : null;
            plannedOutcome = jointScheduling == null ? null : outcome(jointScheduling.finish(withAlternates));
        } else if (ServerGroups.findGroupUuid(spec) == null) {
            plannedOutcome = outcome(scheduling.consume(scheduling.openRound().attempts().getFirst())
                    .finish(withAlternates));
        }
        return this;
    }

    /**
     * Writes the record of the request, if it has one and there is a host to claim. If the outcome of a single instance
     * is planned, the record has its response, so that nothing must be written between the claim and the response. Ends
     * the attempt if the planned outcome is a failure, or if another request or move prevents that the record begins
     * ({@link ClaimStrategy#begin}).
     */
    Uni<Step<Rounds>> open() {
        if (plannedOutcome instanceof SelectionOutcome.Failed failed) {
            return Step.end(failed);
        }
        if (!claimStrategy.isRecorded() || scheduling.openRound().attempts().isEmpty()) {
            return Step.next(this);
        }
        HostState first = scheduling.openRound().attempts().getFirst().host();
        var plan = jointScheduling != null
                ? new ClaimStrategy.Plan(
                        AllocationRequest.sum(
                                jointScheduling.done().stream().map(each -> requestOf(each.host())).toList()),
                        null, null)
                : plannedOutcome instanceof SelectionOutcome.Selected selected
                        ? new ClaimStrategy.Plan(
                                requestOf(first), storedResponse(selected), PlacedInstanceStore.body(spec, first))
                        : new ClaimStrategy.Plan(requestOf(first), null, null);
        claimStrategy.announce(plan.first());
        return phases.during(Phase.REGISTER, () -> claimStrategy.begin(plan))
                .map(hasBegun -> hasBegun ? new Step.Next<>(this) : new Step.End<>(overtaken(null)));
    }

    /**
     * Claims a host for each instance: all in one write if that is planned, or one by one if it is not planned or is
     * refused. If no host can be claimed for an instance, rolls back the claims of the other instances.
     */
    Uni<Step<Rounds>> claim() {
        return (jointScheduling == null ? claimOneByOne() : claimJointly(jointScheduling)).chain(end -> end == null
                ? Step.next(this)
                : rollBack(false).replaceWith(end));
    }

    /**
     * Adds the alternates and renders the response, unless both are precomputed. Rolls back the claims if the hosts
     * cannot be ranked for the alternates.
     */
    Uni<Step<SelectionOutcome.Selected>> addAlternates() {
        return DecisionWorkers
                .run(
                        isAsPlanned || isQuick || scheduling.instanceCount() == 1,
                        () -> isAsPlanned ? plannedOutcome : outcome(scheduling.finish(withAlternates)))
                .chain(outcome -> outcome instanceof SelectionOutcome.Selected selected
                        ? Step.next(selected)
                        : rollBack(false).replaceWith(new Step.End<>(outcome)));
    }

    /**
     * Closes the record as placed, before the response is sent, unless the record has the response already. Returns a
     * failure if another owner took the record over; then the claims are rolled back.
     */
    Uni<Step<SelectionOutcome>> close(SelectionOutcome.Selected selected) {
        if (isClosed || !claimStrategy.isRecorded()) {
            return Step.next(selected);
        }
        List<Scheduling.Placed> done = scheduling.done();
        // The spec of the first round contains the server group that was found for the request.
        List<String> bodies = PlacedInstanceStore.bodies(
                done.getFirst().round().spec(), done.stream().map(Scheduling.Placed::host).toList());
        return phases.during(Phase.REGISTER, () -> claimStrategy.complete(storedResponse(selected), bodies))
                .map(isOwner -> new Step.Next<>(isOwner ? selected : overtaken(selected.decision())));
    }

    /**
     * Rolls back the claims of this attempt.
     *
     * @param mayHaveClaimed whether a claim may hold that this object does not know of
     */
    Uni<Void> rollBack(boolean mayHaveClaimed) {
        return claimStrategy.rollBackFailed(mayHold || mayHaveClaimed);
    }

    private SelectionOutcome outcome(Decision decision) {
        SelectionOutcome outcome = SelectionOutcome.of(decision, "");
        return outcome instanceof SelectionOutcome.Selected selected ? renderer.apply(selected) : outcome;
    }

    private static String storedResponse(SelectionOutcome.Selected selected) {
        return Objects.requireNonNull(selected.rendered(), "a request with a record has a rendered response").plain();
    }

    private static SelectionOutcome.Failed overtaken(@Nullable Decision decision) {
        return new SelectionOutcome.Failed(
                ErrorCode.CONCURRENT_UPDATE, "another request places the same instances", decision);
    }

    /**
     * Claims all instances in one write; one by one if this write is refused. Returns null once all instances have a
     * host, otherwise the end of the attempt.
     */
    private Uni<Step.End<Rounds>> claimJointly(Scheduling joint) {
        List<ClaimStrategy.Choice<Scheduling.Placed>> choices = joint.done().stream()
                .map(each -> new ClaimStrategy.Choice<>(
                        consumer(each.round().spec()),
                        ServerGroups.grouping(each.round().spec(), registry, Scheduling.Placed::host),
                        each,
                        requestOf(each.host())))
                .toList();
        var claimed = phases.during(Phase.CLAIM, () -> claimStrategy.claimTogether(
                choices, (placed, _, result, detail) -> traceTogether(placed, result, detail)));
        return claimed.chain(claimOutcome -> {
            mayHold |= claimOutcome instanceof ClaimOutcome.Selected || claimOutcome instanceof ClaimOutcome.Unsettled;
            return switch (claimOutcome) {
                case ClaimOutcome.Selected<List<Scheduling.Placed>> _ -> {
                    scheduling = joint;
                    isAsPlanned = true;
                    yield Uni.createFrom().nullItem();
                }
                case ClaimOutcome.NoneLeft<List<Scheduling.Placed>> _ -> {
                    plannedOutcome = null;
                    jointScheduling = null;
                    yield claimOneByOne();
                }
                default -> Uni.createFrom().item(end(claimOutcome));
            };
        });
    }

    /**
     * Traces the claim of all instances. Ignores a refusal, which names no instance, because each instance is then
     * claimed separately.
     */
    private void traceTogether(List<Scheduling.Placed> placed, AttemptListener.Result result, String detail) {
        switch (result) {
            case REFUSED, SEAT_REFUSED, PROVIDERS_BUSY -> {}
            case CLAIMED, CLAIMED_UNANSWERED, NO_ANSWER, DENIED, CONSUMER_CHANGED -> placed.forEach(
                    each -> traceAttempt(each.round().spec(), each.host(), each.candidate(), result, detail));
        }
    }

    private void traceAttempt(
            RequestSpec ofInstance, HostState host, int candidate, AttemptListener.Result result, String detail) {
        trace.noteAttempt(new DecisionTrace.Attempt(
                UUID.fromString(ofInstance.instanceUuid()), host.host(), host.nodename(), candidate, result.wireName(),
                detail));
    }

    private Consumer consumer(RequestSpec ofInstance) {
        return new Consumer(
                UUID.fromString(ofInstance.instanceUuid()),
                spec.projectId() == null ? UNKNOWN_OWNER : spec.projectId(),
                spec.userId() == null ? UNKNOWN_OWNER : spec.userId(),
                trace.request().requestId());
    }

    /**
     * Claims the instances one by one. Returns null once all instances have a host, otherwise the end of the attempt.
     */
    private Uni<Step.End<Rounds>> claimOneByOne() {
        return Multi.createFrom().range(0, scheduling.instanceCount())
                .onItem().transformToUniAndConcatenate(index -> claimOne())
                .toUni();
    }

    /**
     * Claims a host for the instance of the current round. Returns null once the instance has a host, otherwise the end
     * of the attempt.
     */
    private Uni<Step.End<Rounds>> claimOne() {
        List<RankedHost> attempts = scheduling.openRound().attempts();
        if (attempts.isEmpty()) {
            return Uni.createFrom().item(new Step.End<>(noValidHost("")));
        }
        RequestSpec ofInstance = scheduling.openRound().spec();
        List<ClaimCandidate<RankedHost>> ranked = new ClaimCandidates(attempts);
        Grouping<RankedHost> grouping = ServerGroups.grouping(ofInstance, registry, RankedHost::host);
        var claimed = phases.during(Phase.CLAIM, () -> claimStrategy.claimFirst(
                consumer(ofInstance), grouping, ranked, (host, request, result, detail) -> traceAttempt(
                        ofInstance, host.host(), candidateOf(host.host(), request), result, detail)));
        return claimed.chain(claimOutcome -> {
            mayHold |= claimOutcome instanceof ClaimOutcome.Selected || claimOutcome instanceof ClaimOutcome.Unsettled;
            return claimOutcome instanceof ClaimOutcome.Selected<RankedHost>(RankedHost host, AllocationRequest request)
                    ? consume(host, request, host == attempts.getFirst())
                    : Uni.createFrom().item(end(claimOutcome));
        });
    }

    private Step.End<Rounds> end(ClaimOutcome<?> claimOutcome) {
        return new Step.End<>(
                failure(claimOutcome),
                claimOutcome instanceof ClaimOutcome.GroupElsewhere ? Retries.Cause.GROUP_ELSEWHERE : null);
    }

    private SelectionOutcome.Failed failure(ClaimOutcome<?> claimOutcome) {
        return switch (claimOutcome) {
            case ClaimOutcome.Selected<?> _ -> throw new IllegalStateException("placed");
            case ClaimOutcome.NoneLeft<?> none ->
                noValidHost("; " + none.attempts() + " refused, the last with: " + none.lastRefusal());
            case ClaimOutcome.GroupElsewhere<?> elsewhere -> noValidHost("; " + elsewhere.why());
            case ClaimOutcome.Denied<?> denied -> new SelectionOutcome.Failed(
                    denied.denied().isRequestInvalid()
                            ? ErrorCode.REQUEST_INVALID
                            : ErrorCode.PLACEMENT_UNAVAILABLE,
                    denied.denied().why(),
                    scheduling.giveUp());
            case ClaimOutcome.Aborted<?>(String why) ->
                new SelectionOutcome.Failed(ErrorCode.ALLOCATION_UPDATE_FAILED, why, scheduling.giveUp());
            case ClaimOutcome.Overtaken<?> _ -> overtaken(scheduling.giveUp());
            case ClaimOutcome.Unsettled<?>(String why) ->
                new SelectionOutcome.Failed(ErrorCode.PLACEMENT_UNAVAILABLE, why, scheduling.giveUp());
        };
    }

    /**
     * Continues after a claim that holds: with the planned outcome if the claim was as planned, otherwise with the
     * evaluation of the next round. Returns null, as {@link #claimOne} does once the instance has a host.
     *
     * @param first whether the host is the first of the ranked list
     */
    private Uni<Step.End<Rounds>> consume(RankedHost host, AllocationRequest request, boolean first) {
        int candidate = candidateOf(host.host(), request);
        if (plannedOutcome != null && first && candidate == 0 && claimStrategy.completeAsPlanned()) {
            isAsPlanned = true;
            isClosed = true;
            return Uni.createFrom().nullItem();
        }
        return DecisionWorkers.run(isQuick || scheduling.isLastRound(), () -> scheduling.consume(host, candidate))
                .invoke(next -> scheduling = next)
                .replaceWith((Step.End<Rounds>) null);
    }

    /** Returns the index of the candidate from which an allocation request was made. */
    private static int candidateOf(HostState host, AllocationRequest request) {
        List<AllocationCandidate> candidates = host.allocationCandidates();
        for (int i = 1; i < candidates.size(); i++) {
            // The request has the map objects of one of these candidates, so comparing identities is enough.
            if (candidates.get(i).allocations() == request.allocations()
                    && candidates.get(i).mappings() == request.mappings()) {
                return i;
            }
        }
        return 0;
    }

    /** @param claims text on refused claims; empty if none was sent */
    private SelectionOutcome.Failed noValidHost(String claims) {
        return (SelectionOutcome.Failed) SelectionOutcome.of(scheduling.giveUp(), claims);
    }

    /**
     * Returns the allocations to claim on a host: those of the first candidate that the filters left to it; empty for a
     * host without a candidate.
     */
    static AllocationRequest requestOf(HostState host) {
        AllocationCandidate first = host.allocationCandidates().isEmpty()
                ? AllocationCandidate.NONE
                : host.allocationCandidates().getFirst();
        return new AllocationRequest(first.allocations(), first.mappings());
    }

    /**
     * The allocation requests of ranked hosts, created only for the hosts that are tried; at most {@link
     * Scheduling#CANDIDATES_PER_HOST_MAX} for a host.
     */
    private static final class ClaimCandidates extends AbstractList<ClaimCandidate<RankedHost>>
            implements RandomAccess {
        private final List<RankedHost> attempts;

        ClaimCandidates(List<RankedHost> attempts) {
            this.attempts = attempts;
        }

        @Override
        public ClaimCandidate<RankedHost> get(int index) {
            RankedHost host = attempts.get(index);
            List<AllocationCandidate> candidates = host.host().allocationCandidates();
            return candidates.size() <= 1
                    ? new ClaimCandidate<>(host, requestOf(host.host()))
                    : new ClaimCandidate<>(host, candidates.stream()
                            .limit(Scheduling.CANDIDATES_PER_HOST_MAX)
                            .map(each -> new AllocationRequest(each.allocations(), each.mappings()))
                            .toList());
        }

        @Override
        public int size() {
            return attempts.size();
        }
    }
}
