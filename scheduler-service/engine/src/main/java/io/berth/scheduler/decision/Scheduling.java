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
 * A request on its way through its rounds. Immutable: {@link #consume} answers the next state.
 *
 * <p>Step by step: try the hosts of {@code round().attempts()} in order; tell {@link #consume} which one was claimed;
 * when {@link #isComplete} holds, {@link #finish} adds the alternates. If no attempt succeeds, or the round has an
 * error, {@link #giveUp} ends it. Hosts rejected in a round are gone for all later ones.
 * <br>Source: nova {@code scheduler/manager.py} (_schedule, _get_alternate_hosts).
 *
 * @param round the round that is open; once complete, the last one
 * @param done the rounds before, and their hosts
 */
public record Scheduling(
        SchedulingInputs inputs,
        int instanceCount,
        List<HostState> hosts,
        RequestSpec spec,
        @Nullable Round round,
        List<Placed> done) {
    /** Candidates of one host that are tried at most; mostly it has but one. */
    public static final int CANDIDATES_PER_HOST_MAX = 3;

    /** Hosts; a thousand take 0.1 to 0.2 ms of a core with the default filters and all weighers. */
    private static final int QUICK_MAX = 2_000;
    /** Hosts; NUMA cells and PCI devices take some 5 µs each, members of a group one. */
    private static final int FITTED_QUICK_MAX = 64;
    /** Characters of all hints: filters compare them with each host. */
    private static final int HINTS_QUICK_MAX = 1_000;

    /**
     * A round whose host was claimed.
     *
     * @param host as claimed: with the candidate first in its list and the limits that filters noted
     * @param after as the claim left it
     */
    public record Placed(Round round, HostState host, HostState after) {}

    /** @param hosts in the order that decides between equal weights */
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

    /** Returns whether a round over these hosts takes less than half a millisecond: fitting and groups take some time per host. */
    public static boolean isQuick(RequestSpec spec, List<HostState> hosts) {
        boolean fits = spec.numaTopology() != null || !spec.pciRequests().isEmpty() || spec.instanceGroup() != null;
        return hosts.size() <= (fits ? FITTED_QUICK_MAX : QUICK_MAX) && spec.schedulerHints().length() <= HINTS_QUICK_MAX;
    }

    /** Returns whether nothing has to be ranked any more once the open round's instance is placed. */
    public boolean isLastRound() {
        return done.size() + 1 >= instanceCount;
    }

    /** Returns whether every instance has its host. */
    public boolean isComplete() {
        return round == null;
    }

    /**
     * All instances that are left, each on its best host: the last state, complete unless one finds none.
     *
     * @param claims whether a claim of these amounts would hold, provider uuid to resource class to amount; it counts from then on
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

    /** Returns null where every claim would be refused. */
    private @Nullable Scheduling placeOne(Predicate<Map<String, Map<String, Long>>> claims) {
        for (RankedHost host : round.attempts()) {
            List<AllocationCandidate> candidates = host.host().allocationCandidates();
            if (candidates.isEmpty()) {
                // A rebuild check.
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

    /** The state after the open round's instance went to this host, one of the round's attempts. */
    public Scheduling consume(RankedHost selected) {
        return consume(selected, 0);
    }

    /** @param candidate which of the host's was claimed, from 0 */
    public Scheduling consume(RankedHost selected, int candidate) {
        HostState claimed = candidate == 0 ? selected.host() : withFirst(selected.host(), candidate);
        Consumption after = Consumption.of(claimed, spec, inputs.options());
        List<HostState> left = new HostsLeft(round.order(), selected, after.host());
        var placed = new ArrayList<>(done);
        placed.add(new Placed(keepsRound() ? round : round.inBrief(), claimed, after.host()));
        return next(inputs, instanceCount, left, after.spec(), List.copyOf(placed));
    }

    /** Of several rounds the first says what the request began with, the last what alternates weigh. */
    private boolean keepsRound() {
        return done.isEmpty() || isLastRound() || inputs.detail() == SchedulingInputs.Detail.HOSTS;
    }

    private static HostState withFirst(HostState host, int candidate) {
        List<AllocationCandidate> candidates = new ArrayList<>(host.allocationCandidates());
        candidates.addFirst(candidates.remove(candidate));
        return host.withCandidates(candidates);
    }

    /** The decision, whether every instance has its host or not. */
    public Decision decision(boolean withAlternates) {
        return isComplete() ? finish(withAlternates) : giveUp();
    }

    /** The decision when every instance has its host. */
    public Decision finish(boolean withAlternates) {
        List<HostState> remaining = hosts;
        int alternatesMax = withAlternates ? inputs.options().scheduler().maxAttempts() - 1 : 0;
        if (alternatesMax > 0 && done.size() > 1) {
            // The hosts have been charged since they were ranked.
            Round again = Round.run(done.size() - 1, hosts, spec, inputs);
            if (again.error() != null) {
                return Decision.failed(rounds(), again.error());
            }
            remaining = again.order().stream().map(RankedHost::host).toList();
        }
        return Decision.selected(rounds(), Alternates.choose(done, remaining, alternatesMax));
    }

    /** The decision when the open round found no host that could be claimed, or could not be evaluated. */
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
