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
 * <p>To drive it: try the hosts of {@code round().attempts()} in order; pass the one that was claimed to
 * {@link #consume}; when {@link #isComplete} holds, {@link #finish} adds the alternates. If no attempt succeeds, or the
 * round has an error, {@link #giveUp} ends it. Hosts rejected in a round are excluded from all later ones.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule, _get_alternate_hosts).
 *
 * @param round the round that is open, which places the next instance; null once every instance has its host
 * @param done the earlier rounds with their hosts
 */
public record Scheduling(
        SchedulingInputs inputs,
        int instanceCount,
        List<HostState> hosts,
        RequestSpec spec,
        @Nullable Round round,
        List<Placed> done) {
    /** Limits the candidates of one host that are tried; most hosts have only one. */
    public static final int CANDIDATES_PER_HOST_MAX = 3;

    /**
     * The number of hosts in a quick round: a thousand take 0.1 to 0.2 ms of a core with the default filters and
     * weighers.
     */
    private static final int QUICK_MAX = 2_000;
    /**
     * The same for requests with a NUMA topology, PCI requests or a server group: fitting cells and devices takes some
     * 5 µs per host, counting group members one.
     */
    private static final int FITTED_QUICK_MAX = 64;
    /** Characters of all hints in a quick round: filters compare them with each host. */
    private static final int HINTS_QUICK_MAX = 1_000;

    /**
     * A round whose host was claimed.
     *
     * @param host as claimed: with the claimed candidate first in its list and the limits that filters noted
     * @param after the host charged for the claim
     */
    public record Placed(Round round, HostState host, HostState after) {}

    /** @param hosts in the order that breaks ties between equal weights */
    public static Scheduling begin(RequestSpec spec, List<HostState> hosts, SchedulingInputs inputs) {
        return next(inputs, spec.instanceCount(), hosts, spec, List.of());
    }

    private static Scheduling next(
            SchedulingInputs inputs, int count, List<HostState> hosts, RequestSpec spec, List<Placed> done) {
        int index = done.size();
        if (index >= count) {
            return new Scheduling(inputs, count, hosts, spec, null, done);
        }
        RequestSpec ofInstance = index < spec.instanceUuids().size()
                ? spec.toBuilder().instanceUuid(spec.instanceUuids().get(index)).build()
                : spec;
        return new Scheduling(inputs, count, hosts, ofInstance, Round.run(index, hosts, ofInstance, inputs), done);
    }

    /**
     * Returns whether a round over these hosts takes less than half a millisecond: fitting and groups cost time per
     * host.
     */
    public static boolean isQuick(RequestSpec spec, List<HostState> hosts) {
        boolean fits = spec.numaTopology() != null || !spec.pciRequests().isEmpty() || spec.instanceGroup() != null;
        return hosts.size() <= (fits ? FITTED_QUICK_MAX : QUICK_MAX) && spec.schedulerHints().length() <= HINTS_QUICK_MAX;
    }

    /** Returns whether the open round is the last: nothing has to be ranked after its instance is placed. */
    public boolean isLastRound() {
        return done.size() + 1 >= instanceCount;
    }

    /** Returns whether every instance has its host. */
    public boolean isComplete() {
        return round == null;
    }

    /**
     * Places every remaining instance on its best host and returns the last state, which is complete unless an instance
     * found no host.
     *
     * @param claims whether a claim of these amounts would succeed, provider uuid to resource class to amount; an
     * accepted amount counts as used from then on
     */
    public Scheduling place(Predicate<Map<String, Map<String, Long>>> claims) {
        Scheduling last = this;
        while (!last.isComplete()) {
            Scheduling next = last.placeOne(claims);
            if (next == null) {
                return last;
            }
            last = next;
        }
        return last;
    }

    /** Places the open round's instance; returns null if every claim would be refused. */
    private @Nullable Scheduling placeOne(Predicate<Map<String, Map<String, Long>>> claims) {
        for (RankedHost host : round.attempts()) {
            List<AllocationCandidate> candidates = host.host().allocationCandidates();
            if (candidates.isEmpty()) {
                // A host without candidates occurs only in a rebuild check, which claims nothing.
                return consume(host);
            }
            for (int i = 0; i < Math.min(candidates.size(), CANDIDATES_PER_HOST_MAX); i++) {
                if (claims.test(candidates.get(i).allocations())) {
                    return consume(host, i);
                }
            }
        }
        return null;
    }

    /** Returns the state after the open round's instance was placed on this host, one of the round's attempts. */
    public Scheduling consume(RankedHost selected) {
        return consume(selected, 0);
    }

    /** @param candidate index of the host's claimed candidate, from 0 */
    public Scheduling consume(RankedHost selected, int candidate) {
        HostState claimed = candidate == 0 ? selected.host() : withFirst(selected.host(), candidate);
        Consumption after = Consumption.of(claimed, spec, inputs.options());
        List<HostState> left = new HostsLeft(round.order(), selected, after.host());
        var placed = new ArrayList<>(done);
        placed.add(new Placed(keepsRound() ? round : round.inBrief(), claimed, after.host()));
        return next(inputs, instanceCount, left, after.spec(), List.copyOf(placed));
    }

    /**
     * Returns whether to keep the whole round: the first shows what the request began with, the last how alternates
     * weigh.
     */
    private boolean keepsRound() {
        return done.isEmpty() || isLastRound() || inputs.detail() == SchedulingInputs.Detail.HOSTS;
    }

    private static HostState withFirst(HostState host, int candidate) {
        List<AllocationCandidate> candidates = new ArrayList<>(host.allocationCandidates());
        candidates.addFirst(candidates.remove(candidate));
        return host.withCandidates(candidates);
    }

    /** Returns the decision, whether or not every instance has its host. */
    public Decision decision(boolean withAlternates) {
        return isComplete() ? finish(withAlternates) : giveUp();
    }

    /** Returns the decision when every instance has its host. */
    public Decision finish(boolean withAlternates) {
        List<HostState> remaining = hosts;
        int alternatesMax = withAlternates ? inputs.options().scheduler().maxAttempts() - 1 : 0;
        if (alternatesMax > 0 && done.size() > 1) {
            // Ranks once more: the hosts have been charged since the first ranking.
            Round again = Round.run(done.size() - 1, hosts, spec, inputs);
            if (again.error() != null) {
                return Decision.failed(rounds(), again.error());
            }
            remaining = again.order().stream().map(RankedHost::host).toList();
        }
        return Decision.selected(rounds(), Alternates.choose(done, remaining, alternatesMax));
    }

    /** Returns the decision when no host of the open round could be claimed, or the round could not be evaluated. */
    public Decision giveUp() {
        var all = new ArrayList<>(rounds());
        all.add(new Decision.Evaluated(round, null));
        return round.error() == null ? Decision.noValidHost(all) : Decision.failed(all, round.error());
    }

    private List<Decision.Evaluated> rounds() {
        return done.stream()
                .map(placed -> new Decision.Evaluated(placed.round(), placed.host()))
                .toList();
    }
}
