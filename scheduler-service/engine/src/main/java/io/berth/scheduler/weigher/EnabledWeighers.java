package io.berth.scheduler.weigher;

import io.berth.scheduler.spi.HostWeigher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The enabled weighers, in the order in which their weights are added.
 * <br>Source: nova {@code loadables.py}, {@code scheduler/weights/__init__.py}.
 */
public record EnabledWeighers(List<HostWeigher> inOrder) {
    public EnabledWeighers {
        inOrder = List.copyOf(inOrder);
    }

    /** The result of {@link #choose}. */
    public sealed interface Choice {
        record Chosen(EnabledWeighers weighers) implements Choice {}

        /** No weigher or more than one weigher has one of the names. */
        record Invalid(String detail) implements Choice {}
    }

    /**
     * Looks up the enabled weighers by name.
     *
     * @param built all weighers of this build, including those of extensions
     * @param classes class names or paths. A path that ends in {@code all_weighers} stands for all of Berth's own
     *         weighers, in the order of their names. For Berth's own weighers, only the last part of a path is
     *         compared, so that nova's paths are valid; the path of an extension's weigher must be complete
     */
    public static Choice choose(List<HostWeigher> built, List<String> classes) {
        List<HostWeigher> byName =
                built.stream().sorted(Comparator.comparing(HostWeigher::name)).toList();
        var chosen = new ArrayList<HostWeigher>();
        for (String path : classes) {
            if (path.endsWith("all_weighers")) {
                byName.stream().filter(EnabledWeighers::isShipped).forEach(chosen::add);
                continue;
            }
            List<HostWeigher> matches =
                    byName.stream().filter(weigher -> names(path, weigher)).toList();
            if (matches.size() != 1) {
                return new Choice.Invalid(matches.isEmpty()
                        ? "unknown weigher '%s', known: %s".formatted(path, describeKnown(byName))
                        : "weigher '%s' is ambiguous: it names %s and %s"
                                .formatted(path, path(matches.getFirst()), path(matches.get(1))));
            }
            chosen.add(matches.getFirst());
        }
        return new Choice.Chosen(new EnabledWeighers(chosen));
    }

    private static String describeKnown(List<HostWeigher> weighers) {
        return weighers.stream()
                .map(weigher -> isShipped(weigher) ? weigher.name() : path(weigher))
                .collect(Collectors.joining(", "));
    }

    private static boolean names(String path, HostWeigher weigher) {
        return isShipped(weigher)
                ? path.substring(path.lastIndexOf('.') + 1).equals(weigher.name())
                : path.equals(path(weigher));
    }

    /** Returns whether the weigher is one of Berth's own, not of an extension. */
    private static boolean isShipped(HostWeigher weigher) {
        return weigher.getClass().getPackageName().equals(EnabledWeighers.class.getPackageName());
    }

    private static String path(HostWeigher weigher) {
        return weigher.getClass().getName();
    }
}
