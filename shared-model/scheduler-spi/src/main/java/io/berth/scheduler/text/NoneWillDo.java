package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The sentence for a person that says why none of so many hosts will do: what removed most comes first. */
public final class NoneWillDo {
    /** Stages that are named; those behind are summed up. */
    private static final int STAGES_MAX = 4;

    private NoneWillDo() {}

    /** What one filter, demand or member of the request removed. */
    public record Removed(String by, long hosts) {}

    /** @param left hosts that nothing removed, and why they will not do all the same; empty for none */
    public static String sentence(long hosts, List<Removed> stages, String left) {
        if (hosts == 0) {
            return "There is no host to choose from";
        }
        List<Removed> most = stages.stream()
                .filter(stage -> stage.hosts() > 0)
                .sorted(Comparator.comparingLong(Removed::hosts).reversed())
                .toList();
        List<String> parts = new ArrayList<>();
        for (Removed stage : most.subList(0, Math.min(STAGES_MAX, most.size()))) {
            parts.add(stage.by() + " removed " + (hosts == 1 ? "it" : stage.hosts()));
        }
        if (most.size() > STAGES_MAX) {
            parts.add("others removed "
                    + most.subList(STAGES_MAX, most.size()).stream().mapToLong(Removed::hosts).sum());
        }
        if (!left.isEmpty()) {
            parts.add(left);
        }
        return (hosts == 1 ? "The only host will not do: " : "None of " + hosts + " hosts will do: ")
                + String.join(", ", parts);
    }
}
