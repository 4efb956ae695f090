package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Renders the sentence that explains why no host is suitable. The stage that removed the most hosts comes first. */
public final class NoneWillDo {
    /** The most stages that the sentence names; the others are summed up. */
    private static final int STAGES_MAX = 4;

    private NoneWillDo() {}

    /** The number of hosts that one stage removed: a filter, a demand, or a member of the request. */
    public record Removed(String by, long hosts) {}

    /**
     * Returns the sentence for stages that ran one after the other.
     *
     * @param hosts number of hosts before the first stage
     * @param left the hosts that no stage removed and why they are not suitable either, in words; empty if there are
     *         none
     */
    public static String sentence(long hosts, List<Removed> stages, String left) {
        return sentence(
                hosts, stages, "%s removed %s",
                behind -> "others removed " + behind.stream().mapToLong(Removed::hosts).sum(), left);
    }

    /** Returns the sentence for reasons that may apply to the same hosts, so that their counts cannot be added up. */
    public static String overlapping(long hosts, List<Removed> reasons) {
        return sentence(
                hosts, reasons, hosts == 1 ? "%s keeps %s out" : "%s keeps out %s",
                behind -> "and " + behind.size() + (behind.size() == 1 ? " other" : " others"), "");
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
