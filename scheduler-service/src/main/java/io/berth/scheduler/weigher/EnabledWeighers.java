package io.berth.scheduler.weigher;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The weighers in the order their weights are added.
 * <br>Source: nova {@code loadables.py}, {@code scheduler/weights/__init__.py}.
 */
public record EnabledWeighers(List<HostWeigher> inOrder) {
    public EnabledWeighers {
        inOrder = List.copyOf(inOrder);
    }

    /** What became of a list of classes. */
    public sealed interface Choice {
        record Chosen(EnabledWeighers weighers) implements Choice {}

        /** There is no such weigher. */
        record Unknown(String detail) implements Choice {}
    }

    /** @param classes class names or paths; one ending in {@code all_weighers} stands for all, by name */
    public static Choice choose(List<HostWeigher> shipped, List<String> classes) {
        List<HostWeigher> byName =
                shipped.stream().sorted(Comparator.comparing(HostWeigher::name)).toList();
        var chosen = new ArrayList<HostWeigher>();
        for (String path : classes) {
            String name = path.substring(path.lastIndexOf('.') + 1);
            if (name.equals("all_weighers")) {
                chosen.addAll(byName);
                continue;
            }
            HostWeigher found = byName.stream()
                    .filter(weigher -> weigher.name().equals(name))
                    .findFirst()
                    .orElse(null);
            if (found == null) {
                return new Choice.Unknown("unknown weigher '%s', known: %s"
                        .formatted(path, String.join(", ", byName.stream().map(HostWeigher::name).toList())));
            }
            chosen.add(found);
        }
        return new Choice.Chosen(new EnabledWeighers(chosen));
    }
}
