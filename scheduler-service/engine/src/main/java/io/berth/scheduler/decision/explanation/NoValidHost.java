package io.berth.scheduler.decision.explanation;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.text.NoHostSentence;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Explains in one sentence why a decision found no host: the number of hosts that each stage removed, and the nearest
 * miss.
 */
public final class NoValidHost {
    private NoValidHost() {}

    /**
     * The hosts that placement did not return as candidates, so that the decision did not evaluate them.
     *
     * @param hosts number of all hosts, including those that placement did not return
     * @param by the demands that excluded hosts, with their numbers of hosts
     * @param nearest text about the excluded host with the smallest shortfall; null if no host was excluded
     */
    public record OmittedHosts(long hosts, List<NoHostSentence.Removed> by, @Nullable String nearest) {
        /**
         * Returns the numbers for a decision over {@code offered} hosts. The two sources may be of different times, so
         * a host that counts as excluded may be among the offered ones. Then only the total of excluded hosts is
         * certain, and the demands are omitted.
         */
        private OmittedHosts withOffered(long offered) {
            long left = hosts - offered;
            return by.stream().mapToLong(NoHostSentence.Removed::hosts).sum() <= left
                    ? this
                    : new OmittedHosts(hosts,
                            left > 0 ? List.of(new NoHostSentence.Removed("placement", left)) : List.of(), null);
        }
    }

    /** Describes a decision without a valid host, for an operator. */
    public static String describe(Decision decision) {
        return describe(decision, null);
    }

    /**
     * Describes a decision without a valid host, for an operator.
     *
     * @param placement the hosts that placement did not return; null if unknown
     */
    public static String describe(Decision decision, @Nullable OmittedHosts placement) {
        OmittedHosts leftOut = withOffered(decision, placement);
        NearestMiss nearest = NearestMiss.of(decision);
        return sentence(decision, leftOut)
                + (nearest == null ? "" : "; nearest is " + nearest.host().host() + ": " + nearest.reason().render())
                + (leftOut == null || leftOut.nearest() == null
                        ? ""
                        : "; of those that placement left out " + leftOut.nearest());
    }

    /** Describes the decision without naming a host, for the user who requested the instance. */
    public static String forTenant(Decision decision, @Nullable OmittedHosts placement) {
        return sentence(decision, withOffered(decision, placement));
    }

    private static String sentence(Decision decision, @Nullable OmittedHosts leftOut) {
        if (decision.rounds().isEmpty()) {
            return "No host will do";
        }
        Round round = decision.rounds().getLast().round();
        int offered = offered(decision);
        List<NoHostSentence.Removed> stages = new ArrayList<>(leftOut == null ? List.of() : leftOut.by());
        long hosts = leftOut == null ? offered : Math.max(leftOut.hosts(), offered);
        Map<String, Long> removed = new LinkedHashMap<>();
        // A host that is removed in a round does not take part in later rounds, so the counts of all rounds can be
        // added.
        decision.rounds().forEach(each -> count(each.round(), removed));
        removed.forEach((by, count) -> stages.add(new NoHostSentence.Removed(by, count)));
        String left = round.ranked().isEmpty() ? "" : round.ranked().size() + " passed and none could be claimed";
        String sentence = NoHostSentence.sentence(hosts, stages, left);
        return round.index() == 0 ? sentence : "Instance " + (round.index() + 1) + ": " + sentence;
    }

    private static @Nullable OmittedHosts withOffered(Decision decision, @Nullable OmittedHosts leftOut) {
        return leftOut == null || decision.rounds().isEmpty() ? leftOut : leftOut.withOffered(offered(decision));
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
