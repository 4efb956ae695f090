package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Renders the sentence that explains why no host is suitable. The stage that removed the most hosts is named first. */
public final class NoHostSentence {
    /** Maximum number of stages that the sentence names; the other stages are summed up. */
    private static final int STAGES_MAX = 4;

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
     * @param left a clause about hosts that no stage removed and that are unsuitable for another reason; empty if there
     *         are none
     */
    public static String sentence(long hosts, List<Removed> stages, String left) {
        return sentence(
                hosts, stages, "%s removed %s",
                omitted -> "others removed " + omitted.stream().mapToLong(Removed::hosts).sum(), left);
    }

    /**
     * Returns the sentence for reasons of which several may apply to the same host, so that their counts cannot be
     * added.
     */
    public static String overlapping(long hosts, List<Removed> reasons) {
        return sentence(
                hosts, reasons, hosts == 1 ? "%s keeps %s out" : "%s keeps out %s",
                omitted -> "and " + omitted.size() + (omitted.size() == 1 ? " other" : " others"), "");
    }

    private static String sentence(
            long hosts, List<Removed> stages, String each, Function<List<Removed>, String> rest, String left) {
        if (hosts == 0) {
            return "There is no host to choose from";
        }
        List<Removed> most = stages.stream()
                .filter(stage -> stage.hosts() > 0)
                .sorted(Comparator.comparingLong(Removed::hosts).reversed())
                .toList();
        List<String> parts = new ArrayList<>();
        for (Removed stage : most.subList(0, Math.min(STAGES_MAX, most.size()))) {
            parts.add(each.formatted(stage.by(), hosts == 1 ? "it" : stage.hosts()));
        }
        if (most.size() > STAGES_MAX) {
            parts.add(rest.apply(most.subList(STAGES_MAX, most.size())));
        }
        if (!left.isEmpty()) {
            parts.add(left);
        }
        return (hosts == 1 ? "The only host will not do: " : "None of " + hosts + " hosts will do: ")
                + String.join(", ", parts);
    }
}
