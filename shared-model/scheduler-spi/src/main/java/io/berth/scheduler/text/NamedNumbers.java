package io.berth.scheduler.text;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of {@code name=number} items, as some options hold it.
 *
 * @param entries in the order written; a name may occur more than once
 * @param dropped items that could not be parsed
 */
public record NamedNumbers(List<Entry> entries, List<String> dropped) {
    public NamedNumbers {
        entries = List.copyOf(entries);
        dropped = List.copyOf(dropped);
    }

    /** One item of the list. */
    public record Entry(String name, double number) {}

    /** Splits at the first equals sign; blanks of the name stay, an item without a name or a number is dropped. */
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
