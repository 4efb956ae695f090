package io.berth.scheduler.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The filters in execution order.
 * <br>Source: nova {@code scheduler/host_manager.py} (_choose_host_filters).
 */
public record EnabledFilters(List<HostFilter> inOrder) {
    public EnabledFilters {
        inOrder = List.copyOf(inOrder);
    }

    /** What became of a list of names. */
    public sealed interface Choice {
        record Chosen(EnabledFilters filters) implements Choice {}

        /** There is no such filter, or it is not available. */
        record Unknown(String detail) implements Choice {}
    }

    /**
     * @param shipped all filters there are
     * @param available class paths that may be enabled; one ending in {@code all_filters} stands for all
     * @param enabled class names; a name given twice runs twice, as upstream
     */
    public static Choice choose(List<HostFilter> shipped, List<String> available, List<String> enabled) {
        Map<String, HostFilter> byName = new TreeMap<>();
        for (HostFilter filter : shipped) {
            if (isAvailable(filter.name(), available)) {
                byName.put(filter.name(), filter);
            }
        }
        var chosen = new ArrayList<HostFilter>();
        for (String name : enabled) {
            HostFilter filter = byName.get(name);
            if (filter == null) {
                return new Choice.Unknown("unknown filter '%s', known: %s"
                        .formatted(name, String.join(", ", byName.keySet())));
            }
            chosen.add(filter);
        }
        return new Choice.Chosen(new EnabledFilters(chosen));
    }

    private static boolean isAvailable(String name, List<String> available) {
        return available.stream().anyMatch(path -> path.endsWith("all_filters")
                || path.substring(path.lastIndexOf('.') + 1).equals(name));
    }
}
