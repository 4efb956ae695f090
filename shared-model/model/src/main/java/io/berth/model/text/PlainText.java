package io.berth.model.text;

import java.util.Locale;

/**
 * Builds a text for people: lines of less than 100 columns, except those of {@link #json}, without colors or characters
 * that control a terminal. Each line ends with a newline. Not thread-safe.
 */
public final class PlainText {
    static final int COLUMNS_MAX = 99;
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    /** Formats like {@link String#format}, with commas and points in numbers in every locale. */
    public static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Adds a paragraph that begins in the first column. */
    public PlainText line(String paragraph) {
        return item("", paragraph);
    }

    /** Adds a paragraph that is indented by two columns. */
    public PlainText indented(String paragraph) {
        return item(INDENT, paragraph);
    }

    /**
     * Adds a paragraph with a prefix. The paragraph is cleaned ({@link TextColumns#clean}) and broken into lines.
     *
     * @param prefix the prefix of the first line, such as a bullet; further lines are indented by its width
     */
    public PlainText item(String prefix, String paragraph) {
        String before = prefix;
        for (String line : TextColumns.wrap(TextColumns.clean(paragraph), Math.max(1, COLUMNS_MAX - prefix.length()))) {
            text.append((before + line).stripTrailing()).append('\n');
            before = " ".repeat(prefix.length());
        }
        return this;
    }

    /**
     * Adds JSON as one line of any length, so that it can be copied. Characters that could control a terminal or the
     * direction of text are escaped.
     *
     * @param prefix the prefix of the line
     */
    public PlainText json(String prefix, String json) {
        text.append(prefix);
        json.codePoints().forEach(codePoint -> {
            if (!TextColumns.isControlOrFormat(codePoint)) {
                text.appendCodePoint(codePoint);
            } else {
                for (char unit : Character.toChars(codePoint)) {
                    text.append(format("\\u%04x", (int) unit));
                }
            }
        });
        text.append('\n');
        return this;
    }

    /** Adds an empty line, unless the text is empty. */
    public PlainText gap() {
        if (!text.isEmpty()) {
            text.append('\n');
        }
        return this;
    }

    /** Adds a {@linkplain #gap gap} and the table; nothing if the table has no rows. */
    public PlainText table(Table table) {
        if (!table.isEmpty()) {
            gap();
            table.lines().forEach(line -> text.append(line).append('\n'));
        }
        return this;
    }

    /**
     * Adds a line with the number of items that a bounded list omits; nothing if the number is 0 or less.
     *
     * @param what plural noun for the items; may be empty
     */
    public PlainText more(long count, String what) {
        return count <= 0 ? this : indented(format("… and %,d more %s", count, what).stripTrailing());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
