package io.berth.scheduler.config.service;

import io.berth.scheduler.config.OptionNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a {@code nova.conf} states of the options Berth knows. The format is oslo.config's: {@code [group]} headers,
 * {@code name = value} or {@code name : value}, values that go on in indented lines, comments from {@code #} or
 * {@code ;} at the start of a line. Stated twice, the last statement counts, but for options that take several.
 *
 * @param values by group and option, nova's names
 * @param ignored options Berth does not know
 */
record NovaConf(Map<String, Map<String, String>> values, int ignored) {
    private static final String DEFAULT_GROUP = "DEFAULT";
    /** {@code group.option} of those whose repeated statements add up. */
    private static final Set<String> REPEATABLE = Set.of(
            "filter_scheduler.available_filters", "DEFAULT.scheduler_available_filters", "pci.alias");

    static NovaConf parse(List<String> lines) {
        Map<String, Map<String, List<String>>> stated = new LinkedHashMap<>();
        String group = DEFAULT_GROUP;
        List<String> current = null;
        for (String line : lines) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
                current = text.isEmpty() ? null : current;
            } else if (Character.isWhitespace(line.charAt(0)) && current != null) {
                current.set(current.size() - 1, current.getLast() + " " + text);
            } else if (text.startsWith("[") && text.endsWith("]")) {
                group = text.substring(1, text.length() - 1).strip();
                current = null;
            } else {
                current = state(text, stated.computeIfAbsent(group, made -> new LinkedHashMap<>()));
            }
        }
        return known(stated);
    }

    /** The statements of the option that the line begins; null for a line that states nothing. */
    private static List<String> state(String text, Map<String, List<String>> group) {
        int end = separator(text);
        if (end <= 0) {
            return null;
        }
        List<String> statements = group.computeIfAbsent(text.substring(0, end).strip(), made -> new ArrayList<>());
        statements.add(unquoted(text.substring(end + 1).strip()));
        return statements;
    }

    private static int separator(String text) {
        int equals = text.indexOf('=');
        int colon = text.indexOf(':');
        return equals < 0 || (colon >= 0 && colon < equals) ? colon : equals;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static NovaConf known(Map<String, Map<String, List<String>>> stated) {
        Map<String, Map<String, String>> values = new LinkedHashMap<>();
        int ignored = 0;
        for (var group : stated.entrySet()) {
            Set<String> names = OptionNames.byGroup().getOrDefault(group.getKey(), Set.of());
            for (var option : group.getValue().entrySet()) {
                if (names.contains(option.getKey())) {
                    values.computeIfAbsent(group.getKey(), made -> new LinkedHashMap<>())
                            .put(option.getKey(), joined(group.getKey() + "." + option.getKey(), option.getValue()));
                } else {
                    ignored++;
                }
            }
        }
        return new NovaConf(values, ignored);
    }

    private static String joined(String option, List<String> statements) {
        if (!REPEATABLE.contains(option) || statements.size() == 1) {
            return statements.getLast();
        }
        String all = String.join(",", statements);
        return option.equals("pci.alias") ? "[" + all + "]" : all;
    }
}
