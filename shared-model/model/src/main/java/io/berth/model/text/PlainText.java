package io.berth.model.text;

import java.util.Locale;

/**
 * Collects the lines of a text for people: less than 100 columns wide, without colors or characters that steer a
 * terminal, and with a newline at its end. Not thread-safe.
 */
public final class PlainText {
    static final int COLUMNS_MAX = 99;
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    /** Formats numbers the same on every machine: with commas and points. */
    public static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Adds a paragraph that begins in the first column. */
    public PlainText line(String paragraph) {
        return item("", paragraph);
    }

    /** Adds a paragraph that is indented by two. */
    public PlainText indented(String paragraph) {
        return item(INDENT, paragraph);
    }

    /**
     * Adds a paragraph whose first line has something before it.
     *
     * @param begin blanks and a bullet, or a bar; further lines are indented by its width
     */
    public PlainText item(String begin, String paragraph) {
        String before = begin;
        for (String line : Columns.wrap(Columns.clean(paragraph), Math.max(1, COLUMNS_MAX - begin.length()))) {
            text.append((before + line).stripTrailing()).append('\n');
            before = " ".repeat(begin.length());
        }
        return this;
    }

    /** Adds JSON as one line, however long, so that it can be copied. Characters that steer a terminal are escaped. */
    public PlainText json(String begin, String json) {
        text.append(begin);
        json.codePoints().forEach(each -> {
            if (!Columns.isSteering(each)) {
                text.appendCodePoint(each);
            } else {
                for (char unit : Character.toChars(each)) {
                    text.append(format("\\u%04x", (int) unit));
                }
            }
        });
        text.append('\n');
        return this;
    }

    /** Separates the following part by an empty line, unless it is the first. */
    public PlainText gap() {
        if (!text.isEmpty()) {
            text.append('\n');
        }
        return this;
    }

    /** Adds the rows below an empty line; nothing if there are none. */
    public PlainText table(Table table) {
        if (!table.isEmpty()) {
            gap();
            table.lines().forEach(line -> text.append(line).append('\n'));
        }
        return this;
    }

    /** Adds what a bounded list leaves out; nothing if it left out none. */
    public PlainText more(long count, String what) {
        return count <= 0 ? this : indented(format("… and %,d more %s", count, what).stripTrailing());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
