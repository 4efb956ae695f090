package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.List;

/**
 * The parsed value of an option that is a list of items {@code name=number}.
 *
 * @param entries in the order of the option; a name may occur more than once
 * @param dropped items that could not be parsed, which are ignored
 */
public record NamedNumbers(List<Entry> entries, List<String> dropped) {
    public NamedNumbers {
        entries = List.copyOf(entries);
        dropped = List.copyOf(dropped);
    }

    /** One item of the list. */
    public record Entry(String name, double number) {}

    /**
     * Parses each item, split at its first equals sign. Blanks around a name are part of the name. An item without a
     * name or a number is dropped.
     */
    public static NamedNumbers parse(List<String> items) {
        var entries = new ArrayList<Entry>();
        var dropped = new ArrayList<String>();
        for (String item : items) {
            int equals = item.indexOf('=');
            Double number = equals < 1 ? null : NumberText.parse(item.substring(equals + 1));
            if (number == null) {
                dropped.add(item);
            } else {
                entries.add(new Entry(item.substring(0, equals), number));
            }
        }
        return new NamedNumbers(entries, dropped);
    }
}
