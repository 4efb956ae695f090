package io.berth.model.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a file in oslo.config's format: {@code [group]} headers, {@code name = value} or {@code name : value},
 * and values that continue in indented lines, which are joined by one blank. Lines whose first character other than
 * white space is {@code #} or {@code ;} are comments. An empty line ends a continued value. Quotes around the text
 * after the separator are removed. Other lines are ignored.
 *
 * @param groups the values of each option, by group and option. An option has several values if the file states it
 *         several times. Groups, options and values are in the order of the file; options before the first header are
 *         in DEFAULT
 */
public record OsloConf(Map<String, Map<String, List<String>>> groups) {
    private static final String DEFAULT_GROUP = "DEFAULT";

    public static OsloConf read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    public static OsloConf parse(List<String> lines) {
        Map<String, Map<String, List<String>>> groups = new LinkedHashMap<>();
        String group = DEFAULT_GROUP;
        List<String> valuesOfCurrentOption = List.of();
        for (String line : lines) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
                valuesOfCurrentOption = text.isEmpty() ? List.of() : valuesOfCurrentOption;
            } else if (Character.isWhitespace(line.charAt(0)) && !valuesOfCurrentOption.isEmpty()) {
                valuesOfCurrentOption.set(
                        valuesOfCurrentOption.size() - 1, valuesOfCurrentOption.getLast() + " " + text);
            } else if (text.startsWith("[") && text.endsWith("]")) {
                group = text.substring(1, text.length() - 1).strip();
                valuesOfCurrentOption = List.of();
            } else {
                valuesOfCurrentOption = addValue(text, groups.computeIfAbsent(group, key -> new LinkedHashMap<>()));
            }
        }
        return new OsloConf(groups);
    }

    /**
     * Adds the value of a line to its option in the group. Returns all values of the option, so that the caller can
     * append continuation lines to the last one; an empty list if the line has no separator or no name.
     */
    private static List<String> addValue(String text, Map<String, List<String>> group) {
        int end = separator(text);
        if (end <= 0) {
            return List.of();
        }
        List<String> values = group.computeIfAbsent(text.substring(0, end).strip(), key -> new ArrayList<>());
        values.add(unquoted(text.substring(end + 1).strip()));
        return values;
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
}
