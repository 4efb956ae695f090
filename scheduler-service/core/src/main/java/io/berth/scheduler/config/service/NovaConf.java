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
 * The options in a {@code nova.conf} that Berth knows. If an option is repeated, the last value counts; values of
 * options that nova lets an operator repeat are combined.
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
        return selectKnown(OsloConf.parse(lines).groups());
    }

    static NovaConf read(Path file) throws IOException {
        return selectKnown(OsloConf.read(file).groups());
    }

    private static NovaConf selectKnown(Map<String, Map<String, List<String>>> groupsInFile) {
        Map<String, Map<String, String>> values = new LinkedHashMap<>();
        int ignored = 0;
        for (var group : groupsInFile.entrySet()) {
            Set<String> names = OptionNames.byGroup().getOrDefault(group.getKey(), Set.of());
            for (var option : group.getValue().entrySet()) {
                if (names.contains(option.getKey())) {
                    values.computeIfAbsent(group.getKey(), _ -> new LinkedHashMap<>())
                            .put(option.getKey(), combine(group.getKey() + "." + option.getKey(), option.getValue()));
                } else {
                    ignored++;
                }
            }
        }
        return new NovaConf(values, ignored);
    }

    private static String combine(String option, List<String> repeatedValues) {
        if (LISTS.contains(option) && repeatedValues.getLast().isBlank()) {
            // Quarkus treats an empty value as absent. A single comma is an empty list.
            return ",";
        }
        if (!REPEATABLE.contains(option) || repeatedValues.size() == 1) {
            return repeatedValues.getLast();
        }
        String commaSeparated = String.join(",", repeatedValues);
        // Each alias is a JSON object, so several are one JSON list.
        return option.endsWith("alias") ? "[" + commaSeparated + "]" : commaSeparated;
    }
}
