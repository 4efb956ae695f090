package io.berth.scheduler.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists the options of {@link Options} by nova's group, and the older names of options that are still accepted. */
public final class OptionNames {
    /**
     * The older names of an option, which are in the group DEFAULT, by its current name {@code group.option}. Lacks
     * {@link #MOVED_FROM_DEFAULT}.
     */
    private static final Map<String, List<String>> OLDER_NAMES = Map.ofEntries(
            Map.entry("filter_scheduler.enabled_filters", List.of("scheduler_default_filters")),
            Map.entry("filter_scheduler.available_filters", List.of("scheduler_available_filters")),
            Map.entry("filter_scheduler.weight_classes", List.of("scheduler_weight_classes")),
            Map.entry("filter_scheduler.host_subset_size", List.of("scheduler_host_subset_size")),
            Map.entry("filter_scheduler.isolated_images", List.of("isolated_images", "image_isolated")),
            Map.entry("filter_scheduler.isolated_hosts", List.of("isolated_hosts", "host_isolated")),
            Map.entry("metrics.weight_setting", List.of("metrics_weight_setting")),
            Map.entry("pci.alias", List.of("pci_alias")),
            Map.entry("scheduler.driver", List.of("scheduler_driver")),
            Map.entry("scheduler.max_attempts", List.of("scheduler_max_attempts")),
            Map.entry("scheduler.periodic_task_interval", List.of("scheduler_driver_task_period")));

    /** The options of the group filter_scheduler that were once in the group DEFAULT under the same name. */
    private static final Set<String> MOVED_FROM_DEFAULT = Set.of(
            "max_io_ops_per_host",
            "max_instances_per_host",
            "ram_weight_multiplier",
            "disk_weight_multiplier",
            "io_ops_weight_multiplier",
            "soft_affinity_weight_multiplier",
            "soft_anti_affinity_weight_multiplier",
            "restrict_isolated_hosts_to_isolated_images",
            "aggregate_image_properties_isolation_namespace",
            "aggregate_image_properties_isolation_separator");

    private static final Map<String, Set<String>> NAMES_BY_GROUP = collect();

    private OptionNames() {}

    /** Returns the older names of an option, which are in the group DEFAULT; empty if it has none. */
    public static List<String> olderNames(String group, String option) {
        return group.equals("filter_scheduler") && MOVED_FROM_DEFAULT.contains(option)
                ? List.of(option)
                : OLDER_NAMES.getOrDefault(group + "." + option, List.of());
    }

    /** Returns the names of all options, including older names, by nova's name of their group. */
    public static Map<String, Set<String>> byGroup() {
        return NAMES_BY_GROUP;
    }

    /** Collects the options by recording the reads of {@link Options#parse}, so that the list cannot be incomplete. */
    private static Map<String, Set<String>> collect() {
        var names = new HashMap<String, Set<String>>();
        Options.parse((group, option) -> {
            names.computeIfAbsent(group, _ -> new HashSet<>()).add(option);
            return null;
        });
        return Map.copyOf(names);
    }
}
