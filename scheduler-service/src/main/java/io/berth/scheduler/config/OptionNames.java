package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every option Berth knows, by nova's group, and the older names some of them still go by. */
public final class OptionNames {
    /** Older name by current name, {@code group.option}; the older ones stood in the group DEFAULT. */
    private static final Map<String, List<String>> OLDER = Map.of(
            "filter_scheduler.enabled_filters", List.of("scheduler_default_filters"),
            "filter_scheduler.available_filters", List.of("scheduler_available_filters"),
            "filter_scheduler.weight_classes", List.of("scheduler_weight_classes"),
            "filter_scheduler.host_subset_size", List.of("scheduler_host_subset_size"),
            "filter_scheduler.isolated_images", List.of("image_isolated"),
            "filter_scheduler.isolated_hosts", List.of("host_isolated"),
            "metrics.weight_setting", List.of("metrics_weight_setting"),
            "scheduler.driver", List.of("scheduler_driver"));

    private static final Map<String, Set<String>> KNOWN = collected();

    private OptionNames() {}

    /** Names in the group DEFAULT under which older files state the option. */
    public static List<String> olderNames(String group, String option) {
        return OLDER.getOrDefault(group + "." + option, List.of());
    }

    /** Options by group, older names included, each group under nova's name. */
    public static Map<String, Set<String>> byGroup() {
        return KNOWN;
    }

    /** Asks {@link Options} itself, so that the list cannot lag behind. */
    private static Map<String, Set<String>> collected() {
        var asked = new HashMap<String, Set<String>>();
        Options.parse(new OptionSource() {
            @Override
            public @Nullable JsonNode find(String group, String option) {
                asked.computeIfAbsent(group, _ -> new HashSet<>()).add(option);
                return null;
            }

            @Override
            public boolean isText() {
                return false;
            }
        });
        return Map.copyOf(asked);
    }
}
