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
 * values that continue in indented lines, comments from {@code #} or {@code ;} at the start of a line. Other lines are
 * ignored.
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
        Map<String, Map<String, List<String>>> stated = new LinkedHashMap<>();
        String group = DEFAULT_GROUP;
        List<String> current = List.of();
        for (String line : lines) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
                current = text.isEmpty() ? List.of() : current;
            } else if (Character.isWhitespace(line.charAt(0)) && !current.isEmpty()) {
                current.set(current.size() - 1, current.getLast() + " " + text);
            } else if (text.startsWith("[") && text.endsWith("]")) {
                group = text.substring(1, text.length() - 1).strip();
                current = List.of();
            } else {
                current = state(text, stated.computeIfAbsent(group, key -> new LinkedHashMap<>()));
            }
        }
        return new OsloConf(stated);
    }

    /**
     * Adds the value that a line states to the group. Returns all values of the line's option, so that the caller can
     * append continuation lines to the last one; an empty list if the line is no statement.
     */
    private static List<String> state(String text, Map<String, List<String>> group) {
        int end = separator(text);
        if (end <= 0) {
            return List.of();
        }
        List<String> statements = group.computeIfAbsent(text.substring(0, end).strip(), key -> new ArrayList<>());
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
}
