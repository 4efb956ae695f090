package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Builds the sentence that explains to a person why no host is suitable; the stage that removed most comes first. */
public final class NoneWillDo {
    /** Limits the stages that are named; the others are summed up. */
    private static final int STAGES_MAX = 4;

    private NoneWillDo() {}

    /** The hosts that one filter, demand or member of the request removed. */
    public record Removed(String by, long hosts) {}

    /** @param left hosts that no stage removed, and why they are unsuitable too; empty for none */
    public static String sentence(long hosts, List<Removed> stages, String left) {
        return sentence(
                hosts, stages, "%s removed %s",
                behind -> "others removed " + behind.stream().mapToLong(Removed::hosts).sum(), left);
    }

    /** Returns a sentence for causes that may keep out the same hosts, so that their counts have no sum. */
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
