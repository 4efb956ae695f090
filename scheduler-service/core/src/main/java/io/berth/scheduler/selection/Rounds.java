package io.berth.scheduler.selection;

import io.berth.database.SqlFault;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
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
 * Filters, weighs, claims and charges one instance after the other. A failure after a claim releases every claim of
 * the request. There is one object per request; its steps run one after the other.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule).
 */
final class Rounds {
    /** The project or user of a claim whose request names none, because placement requires both. */
    static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    private final SchedulingInputs inputs;
    private final RegistrySnapshot registry;
    private final ClaimStrategy claiming;
    private final UnaryOperator<Outcome.Selected> rendering;
    private final DecisionTrace trace;
    private final Phases phases;
    private Scheduling scheduling;
    /** The precomputed outcome if the first claim holds; null if it cannot be known before. */
    private @Nullable Outcome planned;
    private boolean isAsPlanned;
    /**
     * True if a round is small enough to be filtered and weighed on the caller's event loop instead of a worker
     * thread.
     */
    private boolean isQuick;
    /** True if a claim of this request holds or is indeterminate. */
    private boolean mayHold;

    /** @param rendering adds the rendered response, for claims that are recorded */
    Rounds(
            SchedulingInputs inputs,
            RegistrySnapshot registry,
            ClaimStrategy claiming,
            UnaryOperator<Outcome.Selected> rendering,
            DecisionTrace trace) {
        this.inputs = inputs;
        this.registry = registry;
        this.claiming = claiming;
        this.rendering = rendering;
        this.trace = trace;
        this.phases = trace.phases();
    }

    Uni<Outcome> run(RequestSpec spec, List<HostState> hosts, boolean withAlternates) {
        isQuick = Scheduling.isQuick(spec, hosts);
        return Computing.run(isQuick, () -> Scheduling.begin(spec, hosts, inputs)).chain(begun -> {
            scheduling = begun;
            return claiming.isRecorded() && !begun.round().attempts().isEmpty()
                    ? begin(spec, withAlternates).chain(may -> may
                            ? all(spec, withAlternates)
                            : Uni.createFrom().item(planned instanceof Outcome.Failed ? planned : overtaken(null)))
                    : all(spec, withAlternates);
            // If a lock was not granted, nothing was claimed.
        }).onFailure().call(failure -> claiming.takeBack(mayHold || !SqlFault.LOCKED.isIn(failure)));
    }

    private Uni<Outcome> all(RequestSpec spec, boolean withAlternates) {
        return Multi.createFrom().range(0, scheduling.instanceCount())
                .onItem().transformToUniAndConcatenate(index -> placeOne(spec))
                .toUni()
                .chain(failure -> failure != null
                        ? takenBack(failure)
                        : isAsPlanned ? Uni.createFrom().item(planned) : finish(withAlternates));
    }

    /**
     * Writes the request's record. For a single instance without a group reservation the response to its first claim
     * can be computed in advance: it is stored with the record, so that nothing must be written between claim and
     * response.
     */
    private Uni<Boolean> begin(RequestSpec spec, boolean withAlternates) {
        RankedHost first = scheduling.round().attempts().getFirst();
        boolean planned = scheduling.instanceCount() == 1 && ServerGroups.groupOf(spec) == null;
        Uni<Outcome> planning = planned
                ? Computing.run(true, () -> outcome(scheduling.consume(first).finish(withAlternates)))
                : Uni.createFrom().nullItem();
        return planning.chain(plan -> {
            this.planned = plan;
            if (plan instanceof Outcome.Failed) {
                return Uni.createFrom().item(false);
            }
            var recorded = new ClaimStrategy.Plan(
                    requestOf(first.host()),
                    plan instanceof Outcome.Selected selected ? selected.rendered().plain() : null,
                    planned ? PlacedInstanceStore.body(spec, first.host()) : null);
            claiming.announce(recorded.first());
            return phases.during(Phase.REGISTER, () -> claiming.begin(recorded));
        });
    }

    private Outcome outcome(Decision decision) {
        Outcome outcome = Outcome.of(decision, "");
        return outcome instanceof Outcome.Selected selected ? rendering.apply(selected) : outcome;
    }

    private static Outcome.Failed overtaken(@Nullable Decision decision) {
        return new Outcome.Failed(
                ErrorCode.CONCURRENT_UPDATE, "another request places the same instances", decision);
    }

    /** Returns null once the current round's instance has its host. */
    private Uni<Outcome.Failure> placeOne(RequestSpec spec) {
        List<RankedHost> attempts = scheduling.round().attempts();
        if (attempts.isEmpty()) {
            return Uni.createFrom().item(gaveUp(""));
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
            return Uni.createFrom().item(failure(placing));
        });
    }

    private Outcome.Failure failure(ClaimOutcome<RankedHost> placing) {
        return switch (placing) {
            case ClaimOutcome.Selected<RankedHost> _ -> throw new IllegalStateException("placed");
            case ClaimOutcome.NoneLeft<RankedHost> none ->
                gaveUp("; " + none.attempts() + " refused, the last with: " + none.lastRefusal());
            case ClaimOutcome.GroupElsewhere<RankedHost> elsewhere ->
                new Outcome.Outdated(gaveUp("; " + elsewhere.why()));
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

    private Uni<Outcome.Failure> selected(RankedHost host, AllocationRequest request, boolean first) {
        int candidate = candidateOf(host.host(), request);
        if (planned != null && first && candidate == 0 && claiming.asPlanned()) {
            isAsPlanned = true;
            return Uni.createFrom().nullItem();
        }
        return Computing.run(isQuick || scheduling.isLastRound(), () -> scheduling.consume(host, candidate))
                .invoke(next -> scheduling = next)
                .replaceWith((Outcome.Failure) null);
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

    private Uni<Outcome> finish(boolean withAlternates) {
        return Computing.run(isQuick || scheduling.instanceCount() == 1, () -> outcome(scheduling.finish(withAlternates)))
                .chain(outcome -> outcome instanceof Outcome.Selected selected
                        ? placed(selected)
                        : takenBack(outcome));
    }

    private Uni<Outcome> placed(Outcome.Selected selected) {
        if (!claiming.isRecorded()) {
            return Uni.createFrom().item(selected);
        }
        List<Scheduling.Placed> done = scheduling.done();
        // The first round's spec names the server group that was found for the request.
        RequestSpec asked = done.getFirst().round().spec();
        List<String> bodies =
                PlacedInstanceStore.bodies(asked, done.stream().map(Scheduling.Placed::host).toList());
        return phases.during(Phase.REGISTER, () -> claiming.placed(selected.rendered().plain(), bodies))
                .map(ours -> ours ? selected : overtaken(selected.decision()));
    }

    private Uni<Outcome> takenBack(Outcome failure) {
        return claiming.takeBack(mayHold).replaceWith(failure);
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
