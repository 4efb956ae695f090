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
         * Returns these numbers, corrected for a decision over {@code offered} hosts. The numbers and the decision may
         * be of different times, so a host that counts as excluded here may be among the offered hosts. If the numbers
         * contradict each other, only the total of excluded hosts is certain, and the demands are omitted.
         */
        private OmittedHosts withOffered(long offered) {
            long omittedCount = hosts - offered;
            return by.stream().mapToLong(NoHostSentence.Removed::hosts).sum() <= omittedCount
                    ? this
                    : new OmittedHosts(hosts,
                            omittedCount > 0
                                    ? List.of(new NoHostSentence.Removed("placement", omittedCount))
                                    : List.of(), null);
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
        OmittedHosts omitted = withOffered(decision, placement);
        NearestMiss nearest = NearestMiss.of(decision);
        return sentence(decision, omitted)
                + (nearest == null ? "" : "; nearest is " + nearest.host().host() + ": " + nearest.reason().render())
                + (omitted == null || omitted.nearest() == null
                        ? ""
                        : "; of those that placement left out " + omitted.nearest());
    }

    /**
     * Describes the decision without naming a host, for the user who requested the instance.
     *
     * @param placement the hosts that placement did not return; null if unknown
     */
    public static String forTenant(Decision decision, @Nullable OmittedHosts placement) {
        return sentence(decision, withOffered(decision, placement));
    }

    private static String sentence(Decision decision, @Nullable OmittedHosts omitted) {
        if (decision.rounds().isEmpty()) {
            return "No host is suitable";
        }
        Round round = decision.rounds().getLast().round();
        int offered = offered(decision);
        List<NoHostSentence.Removed> stages = new ArrayList<>(omitted == null ? List.of() : omitted.by());
        long hosts = omitted == null ? offered : Math.max(omitted.hosts(), offered);
        Map<String, Long> removed = new LinkedHashMap<>();
        // A host that is removed in a round does not take part in later rounds, so the counts of all rounds can be
        // added.
        decision.rounds().forEach(each -> addRemoved(each.round(), removed));
        removed.forEach((by, count) -> stages.add(new NoHostSentence.Removed(by, count)));
        String unclaimed = round.ranked().isEmpty() ? "" : round.ranked().size() + " passed and none could be claimed";
        String sentence = NoHostSentence.sentence(hosts, stages, unclaimed);
        return round.index() == 0 ? sentence : "Instance " + (round.index() + 1) + ": " + sentence;
    }

    private static @Nullable OmittedHosts withOffered(Decision decision, @Nullable OmittedHosts omitted) {
        return omitted == null || decision.rounds().isEmpty() ? omitted : omitted.withOffered(offered(decision));
    }

    private static int offered(Decision decision) {
        return decision.rounds().getFirst().round().preselection().hostCountIn();
    }

    private static void addRemoved(Round round, Map<String, Long> removed) {
        round.preselection().dropped().forEach(dropped -> removed.merge(dropped.label(), 1L, Long::sum));
        for (FilterStep step : round.filters()) {
            removed.merge(step.name(), (long) step.hostCountIn() - step.hostCountOut(), Long::sum);
        }
    }
}
