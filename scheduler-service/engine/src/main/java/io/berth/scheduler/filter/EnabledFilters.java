package io.berth.scheduler.filter;

import io.berth.scheduler.spi.HostFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The enabled filters, in execution order.
 * <br>Source: nova {@code scheduler/host_manager.py} (_choose_host_filters).
 */
public record EnabledFilters(List<HostFilter> inOrder) {
    public EnabledFilters {
        inOrder = List.copyOf(inOrder);
    }

    /** Returns the filters whose rules are also enforced when a host is claimed. */
    public EnabledFilters atClaim() {
        return new EnabledFilters(inOrder.stream().filter(HostFilter::holdsAtClaim).toList());
    }

    /** The result of {@link #choose}. */
    public sealed interface Choice {
        record Chosen(EnabledFilters filters) implements Choice {}

        /**
         * One of the names is the name of no filter or of more than one available filter, or its filter is not
         * available.
         */
        record Invalid(String detail) implements Choice {}
    }

    /**
     * Looks up the enabled filters by name.
     *
     * @param built all filters of this build, including those of extensions
     * @param available paths of the classes that may be enabled. A path that ends in {@code all_filters} stands for all
     *         of Berth's own filters. For Berth's own filters, only the last part of a path is compared, so that nova's
     *         paths are valid; the path of an extension's filter must be complete
     * @param enabled class names; as in nova, a filter that is named twice runs twice
     */
    public static Choice choose(List<HostFilter> built, List<String> available, List<String> enabled) {
        var byName = new TreeMap<String, List<HostFilter>>();
        for (HostFilter filter : built) {
            if (available.stream().anyMatch(path -> makesAvailable(path, filter))) {
                byName.computeIfAbsent(filter.name(), _ -> new ArrayList<>()).add(filter);
            }
        }
        var chosen = new ArrayList<HostFilter>();
        for (String name : enabled) {
            List<HostFilter> matches = byName.getOrDefault(name, List.of());
            if (matches.size() != 1) {
                return new Choice.Invalid(matches.isEmpty()
                        ? unknown(name, built, byName.keySet())
                        : "filter '%s' is ambiguous: available_filters has %s and %s"
                                .formatted(name, path(matches.getFirst()), path(matches.get(1))));
            }
            chosen.add(matches.getFirst());
        }
        return new Choice.Chosen(new EnabledFilters(chosen));
    }

    private static String unknown(String name, List<HostFilter> built, Set<String> knownNames) {
        for (HostFilter filter : built) {
            if (filter.name().equals(name)) {
                return "filter '%s' is not available: add %s to available_filters".formatted(name, path(filter));
            }
        }
        return "unknown filter '%s', known: %s".formatted(name, String.join(", ", knownNames));
    }

    private static boolean makesAvailable(String path, HostFilter filter) {
        return isShipped(filter)
                ? path.endsWith("all_filters") || path.substring(path.lastIndexOf('.') + 1).equals(filter.name())
                : path.equals(path(filter));
    }

    /** Returns whether the filter is one of Berth's own, not of an extension. */
    public static boolean isShipped(HostFilter filter) {
        String packageName = filter.getClass().getPackageName();
        return packageName.equals(EnabledFilters.class.getPackageName())
                || packageName.equals("io.berth.scheduler.legacy.filter");
    }

    private static String path(HostFilter filter) {
        return filter.getClass().getName();
    }
}
