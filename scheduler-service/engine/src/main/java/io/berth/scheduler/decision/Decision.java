package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The outcome of a request, with the data that explains it.
 *
 * @param error null unless the result is ERROR
 * @param rounds one round for each instance, up to the round that ended the request; empty if no host was evaluated
 * @param selections for each instance, the selected host and then its alternates; empty unless the result is SELECTED
 */
public record Decision(
        Result result, @Nullable EvaluationError error, List<Evaluated> rounds, List<List<HostState>> selections) {
    /** The result of a request. */
    public enum Result implements WireNamed { SELECTED, NO_VALID_HOST, ERROR }

    /**
     * A round and its outcome.
     *
     * @param selected the selected host; null if this round ended the request without one
     */
    public record Evaluated(Round round, @Nullable HostState selected) {}

    public Decision {
        rounds = List.copyOf(rounds);
        selections = List.copyOf(selections);
    }

    static Decision selected(List<Evaluated> rounds, List<List<HostState>> selections) {
        return new Decision(Result.SELECTED, null, rounds, selections);
    }

    /**
     * Returns the decision of a request without a suitable host.
     *
     * @param rounds empty if the request ended before any host was evaluated
     */
    public static Decision noValidHost(List<Evaluated> rounds) {
        return new Decision(Result.NO_VALID_HOST, null, rounds, List.of());
    }

    /**
     * Returns the decision of a request that could not be evaluated.
     *
     * @param rounds the rounds before the error
     */
    public static Decision failed(List<Evaluated> rounds, EvaluationError error) {
        return new Decision(Result.ERROR, error, rounds, List.of());
    }

    /** Decides a whole request under the assumption that every claim would succeed. Claims nothing. */
    public static Decision decide(
            RequestSpec spec, List<HostState> hosts, boolean withAlternates, SchedulingInputs inputs) {
        return decide(spec, hosts, withAlternates, inputs, amounts -> true);
    }

    /**
     * Decides a whole request without claiming.
     *
     * @param withAlternates whether to choose alternates, which are further hosts for a reschedule
     * @param wouldClaim returns whether a claim of these amounts, by provider uuid and resource class, would succeed;
     *         see {@link Scheduling#place}
     */
    public static Decision decide(
            RequestSpec spec,
            List<HostState> hosts,
            boolean withAlternates,
            SchedulingInputs inputs,
            Predicate<Map<String, Map<String, Long>>> wouldClaim) {
        return Scheduling.begin(spec, hosts, inputs).place(wouldClaim).decision(withAlternates);
    }

    public boolean isNoValidHost() {
        return result == Result.NO_VALID_HOST;
    }

    /** Returns the number of instances for which a host was selected. */
    public int placedCount() {
        return (int) rounds.stream().filter(each -> each.selected() != null).count();
    }
}
