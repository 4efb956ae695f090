package io.berth.scheduler.selection;

import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.Claimable;
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
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.Computing;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.trace.DecisionTrace;
import io.berth.scheduler.weigher.RankedHost;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * The claims of one attempt of a request: filters, weighs, claims and charges one instance after the other. A failure
 * after a claim rolls back every claim. Its steps run one after the other.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule).
 */
final class Rounds {
    /** Stands in for a project or user that the request does not name; placement wants one. */
    static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    private final RequestSpec spec;
    private final boolean withAlternates;
    private final RegistrySnapshot registry;
    private final ClaimStrategy claiming;
    private final UnaryOperator<Outcome.Selected> telling;
    private final DecisionTrace trace;
    private final Phases phases;
    /**
     * True if a round is small enough to be filtered and weighed on the caller's event loop instead of a worker
     * thread.
     */
    private final boolean isQuick;
    private Scheduling scheduling;
    /** The precomputed outcome if the first claim holds; null if it cannot be known before. */
    private @Nullable Outcome planned;
    private boolean isAsPlanned;
    /** True if a claim of this request holds or is indeterminate. */
    private boolean mayHold;

    /**
     * @param begun with the first instance's ranked hosts
     * @param telling adds the rendered response, for claims that are recorded
     */
    Rounds(
            Scheduling begun,
            boolean isQuick,
            RequestSpec spec,
            boolean withAlternates,
            RegistrySnapshot registry,
            ClaimStrategy claiming,
            UnaryOperator<Outcome.Selected> telling,
            DecisionTrace trace) {
        this.scheduling = begun;
        this.isQuick = isQuick;
        this.spec = spec;
        this.withAlternates = withAlternates;
        this.registry = registry;
        this.claiming = claiming;
        this.telling = telling;
        this.trace = trace;
        this.phases = trace.phases();
    }

    /**
     * Writes the request's record. For a single instance without a group reservation the response to its first claim
     * can be computed in advance: it is stored with the record, so that nothing must be written between claim and
     * response.
     */
    Uni<Step<Rounds>> open() {
        if (!claiming.isRecorded() || scheduling.round().attempts().isEmpty()) {
            return Step.next(this);
        }
        RankedHost first = scheduling.round().attempts().getFirst();
        boolean isPlanned = scheduling.instanceCount() == 1 && ServerGroups.groupOf(spec) == null;
        planned = isPlanned ? outcome(scheduling.consume(first).finish(withAlternates)) : null;
        if (planned instanceof Outcome.Failed) {
            return Step.end(planned);
        }
        var plan = new ClaimStrategy.Plan(
                requestOf(first.host()),
                planned instanceof Outcome.Selected selected ? selected.rendered().plain() : null,
                isPlanned ? PlacedInstanceStore.body(spec, first.host()) : null);
        claiming.announce(plan.first());
        return phases.during(Phase.REGISTER, () -> claiming.begin(plan))
                .map(begun -> begun ? new Step.Next<>(this) : new Step.End<>(overtaken(null)));
    }

    /** Claims a host for each instance. If one has none, the others' claims are rolled back. */
    Uni<Step<Rounds>> claim() {
        return Multi.createFrom().range(0, scheduling.instanceCount())
                .onItem().transformToUniAndConcatenate(index -> placeOne())
                .toUni()
                .chain(end -> end == null
                        ? Step.next(this)
                        : takeBack(false).replaceWith(end));
    }

    /** Adds the alternates, and renders the response. */
    Uni<Step<Outcome.Selected>> alternates() {
        return Computing
                .run(
                        isQuick || scheduling.instanceCount() == 1,
                        () -> isAsPlanned ? planned : outcome(scheduling.finish(withAlternates)))
                .chain(outcome -> outcome instanceof Outcome.Selected selected
                        ? Step.next(selected)
                        : takeBack(false).replaceWith(new Step.End<>(outcome)));
    }

    /** Closes the record as placed, before the response unless that was planned. */
    Uni<Step<Outcome>> close(Outcome.Selected selected) {
        if (isAsPlanned || !claiming.isRecorded()) {
            return Step.next(selected);
        }
        List<Scheduling.Placed> done = scheduling.done();
        // The first round's spec names the server group that was found for the request.
        List<String> bodies = PlacedInstanceStore.bodies(
                done.getFirst().round().spec(), done.stream().map(Scheduling.Placed::host).toList());
        return phases.during(Phase.REGISTER, () -> claiming.placed(selected.rendered().plain(), bodies))
                .map(ours -> new Step.Next<>(ours ? selected : overtaken(selected.decision())));
    }

    /** @param mayHaveClaimed whether a claim may hold of which the result is unknown */
    Uni<Void> takeBack(boolean mayHaveClaimed) {
        return claiming.takeBack(mayHold || mayHaveClaimed);
    }

    private Outcome outcome(Decision decision) {
        Outcome outcome = Outcome.of(decision, "");
        return outcome instanceof Outcome.Selected selected ? telling.apply(selected) : outcome;
    }

    private static Outcome.Failed overtaken(@Nullable Decision decision) {
        return new Outcome.Failed(
                ErrorCode.CONCURRENT_UPDATE, "another request places the same instances", decision);
    }

    /** Returns null once the current round's instance has its host. */
    private Uni<Step.End<Rounds>> placeOne() {
        List<RankedHost> attempts = scheduling.round().attempts();
        if (attempts.isEmpty()) {
            return Uni.createFrom().item(new Step.End<>(gaveUp("")));
        }
        Consumer consumer = new Consumer(
                UUID.fromString(scheduling.round().spec().instanceUuid()),
                spec.projectId() == null ? NOBODY : spec.projectId(),
                spec.userId() == null ? NOBODY : spec.userId(),
                trace.request().requestId());
        List<Claimable<RankedHost>> ranked = new Claimables(attempts);
        Grouping<RankedHost> grouping = ServerGroups.grouping(scheduling.round().spec(), registry);
        var claimed = phases.during(Phase.CLAIM, () -> claiming.claimFirst(
                consumer, grouping, ranked, (host, request, came, detail) -> trace.tried(new DecisionTrace.Attempt(
                        consumer.uuid(), host.host().host(), host.host().nodename(),
                        candidateOf(host.host(), request), came.wireName(), detail))));
        return claimed.chain(placing -> {
            mayHold |= placing instanceof ClaimOutcome.Selected || placing instanceof ClaimOutcome.Unsettled;
            if (placing instanceof ClaimOutcome.Selected<RankedHost>(RankedHost host, AllocationRequest request)) {
                return selected(host, request, host == attempts.getFirst());
            }
            return Uni.createFrom().item(new Step.End<>(
                    failure(placing), placing instanceof ClaimOutcome.GroupElsewhere ? Retries.Cause.GROUP_ELSEWHERE : null));
        });
    }

    private Outcome.Failed failure(ClaimOutcome<RankedHost> placing) {
        return switch (placing) {
            case ClaimOutcome.Selected<RankedHost> _ -> throw new IllegalStateException("placed");
            case ClaimOutcome.NoneLeft<RankedHost> none ->
                gaveUp("; " + none.attempts() + " refused, the last with: " + none.lastRefusal());
            case ClaimOutcome.GroupElsewhere<RankedHost> elsewhere -> gaveUp("; " + elsewhere.why());
            case ClaimOutcome.Denied<RankedHost> denied -> new Outcome.Failed(
                    denied.denied().isTheRequestsFault()
                            ? ErrorCode.REQUEST_INVALID
                            : ErrorCode.PLACEMENT_UNAVAILABLE,
                    denied.denied().why(),
                    scheduling.giveUp());
            case ClaimOutcome.Aborted<RankedHost>(String why) ->
                new Outcome.Failed(ErrorCode.ALLOCATION_UPDATE_FAILED, why, scheduling.giveUp());
            case ClaimOutcome.Overtaken<RankedHost> _ -> overtaken(scheduling.giveUp());
            case ClaimOutcome.Unsettled<RankedHost>(String why) ->
                new Outcome.Failed(ErrorCode.PLACEMENT_UNAVAILABLE, why, scheduling.giveUp());
        };
    }

    private Uni<Step.End<Rounds>> selected(RankedHost host, AllocationRequest request, boolean first) {
        int candidate = candidateOf(host.host(), request);
        if (planned != null && first && candidate == 0 && claiming.asPlanned()) {
            isAsPlanned = true;
            return Uni.createFrom().nullItem();
        }
        return Computing.run(isQuick || scheduling.isLastRound(), () -> scheduling.consume(host, candidate))
                .invoke(next -> scheduling = next)
                .replaceWith((Step.End<Rounds>) null);
    }

    private static int candidateOf(HostState host, AllocationRequest request) {
        List<AllocationCandidate> candidates = host.allocationCandidates();
        for (int i = 1; i < candidates.size(); i++) {
            // Compares by identity, as the request was made of one of these candidates.
            if (candidates.get(i).allocations() == request.allocations()
                    && candidates.get(i).mappings() == request.mappings()) {
                return i;
            }
        }
        return 0;
    }

    /** @param claims text on the claims, if any were tried */
    private Outcome.Failed gaveUp(String claims) {
        return (Outcome.Failed) Outcome.of(scheduling.giveUp(), claims);
    }

    /** Returns the allocations to claim on a host: the first candidate that filters left; empty if it has none. */
    static AllocationRequest requestOf(HostState host) {
        AllocationCandidate first = host.allocationCandidates().isEmpty()
                ? AllocationCandidate.NONE
                : host.allocationCandidates().getFirst();
        return new AllocationRequest(first.allocations(), first.mappings());
    }

    /** The allocation requests of ranked hosts, built lazily for the hosts that are tried. */
    private static final class Claimables extends AbstractList<Claimable<RankedHost>> implements RandomAccess {
        private final List<RankedHost> attempts;

        Claimables(List<RankedHost> attempts) {
            this.attempts = attempts;
        }

        @Override
        public Claimable<RankedHost> get(int index) {
            RankedHost host = attempts.get(index);
            List<AllocationCandidate> candidates = host.host().allocationCandidates();
            return candidates.size() <= 1
                    ? new Claimable<>(host, requestOf(host.host()))
                    : new Claimable<>(host, candidates.stream()
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
