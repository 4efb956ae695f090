package io.berth.scheduler.decision;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The state of a request between its rounds, one round per instance. Immutable: {@link #consume} returns the next
 * state.
 *
 * <p>Usage: claim the hosts of {@code round().attempts()} in order, and pass the claimed host to {@link #consume}.
 * Repeat this until {@link #isComplete} returns true; then {@link #finish} chooses alternates and returns the decision.
 * If no claim succeeds, or the round has an error, {@link #giveUp} returns the decision. A host that is rejected in a
 * round is excluded from all later rounds.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule, _get_alternate_hosts).
 *
 * @param hosts the hosts for the round, in the order of preference after the last round
 * @param spec the request for the round
 * @param round the evaluated round, whose hosts the caller claims; null once a host is selected for every instance
 * @param done the completed rounds with their hosts
 */
public record Scheduling(
        SchedulingInputs inputs,
        int instanceCount,
        List<HostState> hosts,
        RequestSpec spec,
        @Nullable Round round,
        List<Placed> done) {
    /**
     * Maximum number of allocation candidates of one host that are claimed in turn; further ones are not tried. Most
     * hosts have one candidate.
     */
    public static final int CANDIDATES_PER_HOST_MAX = 3;

    /**
     * Maximum number of hosts of a quick round, see {@link #isQuick}. With the default filters and weighers, a thousand
     * hosts take 0.1 to 0.2 ms of a core.
     */
    private static final int QUICK_HOSTS_MAX = 2_000;
    /**
     * Maximum number of hosts of a quick round for a request with a NUMA topology, PCI requests or a server group.
     * Fitting takes about 5 µs per host, counting group members about 1 µs.
     */
    private static final int QUICK_FITTED_HOSTS_MAX = 64;
    /**
     * Maximum number of characters of all scheduler hints in a quick round, because filters compare hints with each
     * host.
     */
    private static final int QUICK_HINTS_CHARACTERS_MAX = 1_000;

    /**
     * A completed round, whose host was claimed.
     *
     * @param host the claimed host, with the claimed candidate first in its list and the limits that filters set
     * @param after the host after the claimed resources were subtracted
     * @param candidate index of the claimed candidate in the host's original list
     */
    public record Placed(Round round, HostState host, HostState after, int candidate) {}

    /**
     * Returns the first state of a request, after the evaluation of the first round.
     *
     * @param hosts the hosts to evaluate; of hosts with equal weights, the first in this list is preferred
     */
    public static Scheduling begin(RequestSpec spec, List<HostState> hosts, SchedulingInputs inputs) {
        return next(inputs, spec.instanceCount(), hosts, spec, List.of());
    }

    private static Scheduling next(
            SchedulingInputs inputs, int count, List<HostState> hosts, RequestSpec spec, List<Placed> done) {
        int index = done.size();
        if (index >= count) {
            return new Scheduling(inputs, count, hosts, spec, null, done);
        }
        RequestSpec instanceSpec = index < spec.instanceUuids().size()
                ? spec.toBuilder().instanceUuid(spec.instanceUuids().get(index)).build()
                : spec;
        return new Scheduling(inputs, count, hosts, instanceSpec, Round.run(index, hosts, instanceSpec, inputs), done);
    }

    /**
     * Returns whether a round over these hosts takes less than about half a millisecond, so that it may run on an event
     * loop.
     */
    public static boolean isQuick(RequestSpec spec, List<HostState> hosts) {
        boolean needsSlowFilters =
                spec.numaTopology() != null || !spec.pciRequests().isEmpty() || spec.instanceGroup() != null;
        return hosts.size() <= (needsSlowFilters ? QUICK_FITTED_HOSTS_MAX : QUICK_HOSTS_MAX)
                && spec.schedulerHints().length() <= QUICK_HINTS_CHARACTERS_MAX;
    }

    /** Returns whether the round places the last instance of the request. */
    public boolean isLastRound() {
        return done.size() + 1 >= instanceCount;
    }

    /** Returns whether a host is selected for every instance. */
    public boolean isComplete() {
        return round == null;
    }

    /**
     * Places all remaining instances without real claims. Returns the last state, which is complete unless no host was
     * found for an instance.
     *
     * @param wouldClaim returns whether a claim would succeed, given the amounts by provider uuid and resource class.
     *         If the predicate returns true, it must count these amounts as used from then on
     */
    public Scheduling place(Predicate<Map<String, Map<String, Long>>> wouldClaim) {
        Scheduling current = this;
        while (!current.isComplete()) {
            Scheduling next = current.placeOne(wouldClaim);
            if (next == null) {
                return current;
            }
            current = next;
        }
        return current;
    }

    /**
     * Places the instance of the round. Returns null if every claim would be refused, or if there is no host to claim.
     */
    private @Nullable Scheduling placeOne(Predicate<Map<String, Map<String, Long>>> wouldClaim) {
        for (RankedHost host : openRound().attempts()) {
            List<AllocationCandidate> candidates = host.host().allocationCandidates();
            if (candidates.isEmpty()) {
                // Only a rebuild check, which claims nothing, has hosts without candidates here.
                return consume(host);
            }
            for (int i = 0; i < Math.min(candidates.size(), CANDIDATES_PER_HOST_MAX); i++) {
                if (wouldClaim.test(candidates.get(i).allocations())) {
                    return consume(host, i);
                }
            }
        }
        return null;
    }

    /** Returns the next state, after the first candidate of one of the round's attempts was claimed. */
    public Scheduling consume(RankedHost selected) {
        return consume(selected, 0);
    }

    /**
     * Returns the next state, after one of the round's attempts was claimed.
     *
     * @param candidate index of the claimed candidate in the host's list, from 0
     */
    public Scheduling consume(RankedHost selected, int candidate) {
        HostState claimed = candidate == 0 ? selected.host() : withFirst(selected.host(), candidate);
        Consumption after = Consumption.of(claimed, spec, inputs.options());
        Round claimedRound = openRound();
        List<HostState> nextHosts = new RemainingHosts(claimedRound.order(), selected, after.host());
        var placed = new ArrayList<>(done);
        placed.add(new Placed(keepsRound() ? claimedRound : claimedRound.inBrief(), claimed, after.host(), candidate));
        return next(inputs, instanceCount, nextHosts, after.spec(), List.copyOf(placed));
    }

    /**
     * Returns whether the completed round is kept whole instead of {@linkplain Round#inBrief in brief}. The first round
     * has the hosts before any instance's resources were subtracted; the last round has the weights of alternates. With
     * the detail HOSTS, all rounds are kept whole.
     */
    private boolean keepsRound() {
        return done.isEmpty() || isLastRound() || inputs.detail() == SchedulingInputs.Detail.HOSTS;
    }

    /** Returns the host with the candidate of this index moved to the front of its list. */
    private static HostState withFirst(HostState host, int candidate) {
        List<AllocationCandidate> candidates = new ArrayList<>(host.allocationCandidates());
        candidates.addFirst(candidates.remove(candidate));
        return host.withCandidates(candidates);
    }

    /** Returns the decision of {@link #finish} if the state is complete, otherwise that of {@link #giveUp}. */
    public Decision decision(boolean withAlternates) {
        return isComplete() ? finish(withAlternates) : giveUp();
    }

    /**
     * Returns the decision of a complete state. The decision has an error if a weigher or filter fails when the hosts
     * are ranked again for the choice of alternates.
     */
    public Decision finish(boolean withAlternates) {
        List<HostState> remaining = hosts;
        int alternatesMax = withAlternates ? inputs.options().scheduler().maxAttempts() - 1 : 0;
        if (alternatesMax > 0 && done.size() > 1) {
            // Ranks the hosts again for the choice of alternates, because the last ranking does not include the
            // resources that the last instance consumes.
            Round rankedAgain = Round.run(done.size() - 1, hosts, spec, inputs);
            if (rankedAgain.error() != null) {
                return Decision.failed(rounds(), rankedAgain.error());
            }
            remaining = rankedAgain.order().stream().map(RankedHost::host).toList();
        }
        return Decision.selected(rounds(), Alternates.choose(done, remaining, alternatesMax));
    }

    /** Returns the decision if no host of the round could be claimed, or the round has an error. */
    public Decision giveUp() {
        var allRounds = new ArrayList<>(rounds());
        Round openRound = openRound();
        allRounds.add(new Decision.Evaluated(openRound, null));
        return openRound.error() == null
                ? Decision.noValidHost(allRounds)
                : Decision.failed(allRounds, openRound.error());
    }

    /** Returns the round of the next instance. Throws IllegalStateException if the state is complete. */
    public Round openRound() {
        if (round == null) {
            throw new IllegalStateException("every instance has a host");
        }
        return round;
    }

    private List<Decision.Evaluated> rounds() {
        return done.stream()
                .map(placed -> new Decision.Evaluated(placed.round(), placed.host()))
                .toList();
    }
}
