package io.berth.scheduler.config.service;

import io.berth.model.conf.OsloConf;
import io.berth.scheduler.config.OptionNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The options in a {@code nova.conf} that Berth knows. The last value of a repeated option counts, except for options
 * that take several values.
 *
 * @param values value by option name by group name, with nova's names
 * @param ignored number of options in the file that Berth does not know
 */
record NovaConf(Map<String, Map<String, String>> values, int ignored) {
    /** Options, as {@code group.option}, whose repeated values are combined into one list. */
    private static final Set<String> REPEATABLE = Set.of(
            "filter_scheduler.available_filters",
            "DEFAULT.scheduler_available_filters",
            "pci.alias",
            "DEFAULT.pci_alias");

    /**
     * List options with a default that is not empty. If such an option is present without a value, its list is empty;
     * only an absent option gets the default.
     */
    private static final Set<String> LISTS = Set.of(
            "filter_scheduler.enabled_filters",
            "DEFAULT.scheduler_default_filters",
            "filter_scheduler.weight_classes",
            "DEFAULT.scheduler_weight_classes");

    static NovaConf parse(List<String> lines) {
        return known(OsloConf.parse(lines).groups());
    }

    static NovaConf read(Path file) throws IOException {
        return known(OsloConf.read(file).groups());
    }

    private static NovaConf known(Map<String, Map<String, List<String>>> stated) {
        Map<String, Map<String, String>> values = new LinkedHashMap<>();
        int ignored = 0;
        for (var group : stated.entrySet()) {
            Set<String> names = OptionNames.byGroup().getOrDefault(group.getKey(), Set.of());
            for (var option : group.getValue().entrySet()) {
                if (names.contains(option.getKey())) {
                    values.computeIfAbsent(group.getKey(), _ -> new LinkedHashMap<>())
                            .put(option.getKey(), joined(group.getKey() + "." + option.getKey(), option.getValue()));
                } else {
                    ignored++;
                }
            }
        }
        return new NovaConf(values, ignored);
    }

    private static String joined(String option, List<String> statements) {
        if (LISTS.contains(option) && statements.getLast().isBlank()) {
            return ",";
        }
        if (!REPEATABLE.contains(option) || statements.size() == 1) {
            return statements.getLast();
        }
        String all = String.join(",", statements);
        return option.endsWith("alias") ? "[" + all + "]" : all;
    }
}
