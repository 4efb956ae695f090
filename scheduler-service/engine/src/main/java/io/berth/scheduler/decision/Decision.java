package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The outcome of a request, with everything that explains it.
 *
 * @param error null unless the result is ERROR
 * @param rounds one per instance, up to the one that ended the request
 * @param selections per instance the selected host, then its alternates; empty unless the result is SELECTED
 */
public record Decision(
        Result result, @Nullable EvaluationError error, List<Evaluated> rounds, List<List<HostState>> selections) {
    /** How a request ended. */
    public enum Result implements WireNamed { SELECTED, NO_VALID_HOST, ERROR }

    /**
     * A round and its outcome.
     *
     * @param selected null if no host could be claimed
     */
    public record Evaluated(Round round, @Nullable HostState selected) {}

    public Decision {
        rounds = List.copyOf(rounds);
        selections = List.copyOf(selections);
    }

    static Decision selected(List<Evaluated> rounds, List<List<HostState>> selections) {
        return new Decision(Result.SELECTED, null, rounds, selections);
    }

    /** @param rounds empty if the request ended before any host was evaluated */
    public static Decision noValidHost(List<Evaluated> rounds) {
        return new Decision(Result.NO_VALID_HOST, null, rounds, List.of());
    }

    /** @param rounds the rounds evaluated before the error */
    public static Decision failed(List<Evaluated> rounds, EvaluationError error) {
        return new Decision(Result.ERROR, error, rounds, List.of());
    }

    /** Decides the whole request as if every claim succeeded; does not claim anything. */
    public static Decision decide(
            RequestSpec spec, List<HostState> hosts, boolean withAlternates, SchedulingInputs inputs) {
        return decide(spec, hosts, withAlternates, inputs, amounts -> true);
    }

    /**
     * Decides the whole request without claiming; {@code claims} says which claims would succeed, as in
     * {@link Scheduling#place}.
     */
    public static Decision decide(
            RequestSpec spec,
            List<HostState> hosts,
            boolean withAlternates,
            SchedulingInputs inputs,
            Predicate<Map<String, Map<String, Long>>> claims) {
        return Scheduling.begin(spec, hosts, inputs).place(claims).decision(withAlternates);
    }

    public boolean isNoValidHost() {
        return result == Result.NO_VALID_HOST;
    }

    /** The number of instances that found a host. */
    public int placedCount() {
        return (int) rounds.stream().filter(each -> each.selected() != null).count();
    }
}
