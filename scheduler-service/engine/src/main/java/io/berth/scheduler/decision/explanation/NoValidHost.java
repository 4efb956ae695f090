package io.berth.scheduler.decision.explanation;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.text.NoneWillDo;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Explains in one sentence why a decision found no host: how many hosts each stage removed, and what the host lacked
 * that came nearest.
 */
public final class NoValidHost {
    private NoValidHost() {}

    /**
     * The hosts that placement left out before the decision.
     *
     * @param hosts number of all hosts, including those that were left out
     * @param by the stages that left hosts out, with their numbers of hosts
     * @param nearest the host left out that lacks least, with what it lacks; null if none was left out
     */
    public record LeftOut(long hosts, List<NoneWillDo.Removed> by, @Nullable String nearest) {
        /**
         * Adjusts the numbers to a decision over {@code offered} hosts. Placement may have offered hosts to the
         * decision that these numbers count as left out. Then only the total of hosts left out is certain, not the
         * stages.
         */
        private LeftOut beside(long offered) {
            long left = hosts - offered;
            return by.stream().mapToLong(NoneWillDo.Removed::hosts).sum() <= left
                    ? this
                    : new LeftOut(hosts, left > 0 ? List.of(new NoneWillDo.Removed("placement", left)) : List.of(), null);
        }
    }

    /** Describes a decision without a valid host. */
    public static String describe(Decision decision) {
        return describe(decision, null);
    }

    /** @param placement the hosts that placement left out; null if unknown */
    public static String describe(Decision decision, @Nullable LeftOut placement) {
        LeftOut leftOut = beside(decision, placement);
        NearestMiss nearest = NearestMiss.of(decision);
        return sentence(decision, leftOut)
                + (nearest == null ? "" : "; nearest is " + nearest.host().host() + ": " + nearest.reason().render())
                + (leftOut == null || leftOut.nearest() == null
                        ? ""
                        : "; of those that placement left out " + leftOut.nearest());
    }

    /** Describes the decision without naming a host, so that the user who requested the instance may see it. */
    public static String forTenant(Decision decision, @Nullable LeftOut placement) {
        return sentence(decision, beside(decision, placement));
    }

    private static String sentence(Decision decision, @Nullable LeftOut leftOut) {
        if (decision.rounds().isEmpty()) {
            return "No host will do";
        }
        Round round = decision.rounds().getLast().round();
        int offered = offered(decision);
        List<NoneWillDo.Removed> stages = new ArrayList<>(leftOut == null ? List.of() : leftOut.by());
        long hosts = leftOut == null ? offered : Math.max(leftOut.hosts(), offered);
        Map<String, Long> removed = new LinkedHashMap<>();
        // A host that one round removes is gone for the later rounds.
        decision.rounds().forEach(each -> count(each.round(), removed));
        removed.forEach((by, count) -> stages.add(new NoneWillDo.Removed(by, count)));
        String left = round.ranked().isEmpty() ? "" : round.ranked().size() + " passed and none could be claimed";
        String sentence = NoneWillDo.sentence(hosts, stages, left);
        return round.index() == 0 ? sentence : "Instance " + (round.index() + 1) + ": " + sentence;
    }

    private static @Nullable LeftOut beside(Decision decision, @Nullable LeftOut leftOut) {
        return leftOut == null || decision.rounds().isEmpty() ? leftOut : leftOut.beside(offered(decision));
    }

    private static int offered(Decision decision) {
        return decision.rounds().getFirst().round().preselection().hostCountIn();
    }

    private static void count(Round round, Map<String, Long> removed) {
        round.preselection().dropped().forEach(dropped -> removed.merge(dropped.what(), 1L, Long::sum));
        for (FilterStep step : round.filters()) {
            removed.merge(step.name(), (long) step.hostCountIn() - step.hostCountOut(), Long::sum);
        }
    }
}
