package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Renders the sentence that explains why no host is suitable. The stage that removed the most hosts is named first;
 * stages that removed none are omitted. If there were no hosts, the sentence says only that.
 */
public final class NoHostSentence {
    /** Maximum number of stages that the sentence names; one clause summarizes the other stages. */
    private static final int STAGES_NAMED_MAX = 4;

    private NoHostSentence() {}

    /**
     * The number of hosts that one stage removed.
     *
     * @param by name of the stage: a filter, a demand on placement, or a condition of the request
     */
    public record Removed(String by, long hosts) {}

    /**
     * Returns the sentence for stages that ran one after the other, so that each host was removed by one stage.
     *
     * @param hosts number of hosts before the first stage
     * @param lastClause a clause about hosts that no stage removed and that are unsuitable for another reason; empty if
     *         there are no such hosts
     */
    public static String sentence(long hosts, List<Removed> stages, String lastClause) {
        return sentence(
                hosts, stages, "%s removed %s",
                omitted -> "others removed " + omitted.stream().mapToLong(Removed::hosts).sum(), lastClause);
    }

    /**
     * Returns the sentence for reasons of which several may apply to the same host, so that their numbers of hosts
     * cannot be added.
     */
    public static String overlapping(long hosts, List<Removed> reasons) {
        return sentence(
                hosts, reasons, hosts == 1 ? "%s keeps %s out" : "%s keeps out %s",
                omitted -> "and " + omitted.size() + (omitted.size() == 1 ? " other" : " others"), "");
    }

    /**
     * Returns the sentence.
     *
     * @param stageFormat format of the clause about one stage, with the stage's name and the number of hosts as
     *         arguments
     * @param summarizeOmitted returns the clause about the stages beyond {@link #STAGES_NAMED_MAX}
     */
    private static String sentence(
            long hosts, List<Removed> stages, String stageFormat, Function<List<Removed>, String> summarizeOmitted,
            String lastClause) {
        if (hosts == 0) {
            return "There is no host to choose from";
        }
        List<Removed> byCount = stages.stream()
                .filter(stage -> stage.hosts() > 0)
                .sorted(Comparator.comparingLong(Removed::hosts).reversed())
                .toList();
        List<String> clauses = new ArrayList<>();
        for (Removed stage : byCount.subList(0, Math.min(STAGES_NAMED_MAX, byCount.size()))) {
            clauses.add(stageFormat.formatted(stage.by(), hosts == 1 ? "it" : stage.hosts()));
        }
        if (byCount.size() > STAGES_NAMED_MAX) {
            clauses.add(summarizeOmitted.apply(byCount.subList(STAGES_NAMED_MAX, byCount.size())));
        }
        if (!lastClause.isEmpty()) {
            clauses.add(lastClause);
        }
        return (hosts == 1 ? "The only host will not do: " : "None of " + hosts + " hosts will do: ")
                + String.join(", ", clauses);
    }
}
