package io.berth.model.text;

/** Draws a part of a whole. */
public final class Bar {
    private Bar() {}

    /** Returns a bar of this many columns, filled to {@code value / most}; a value above 0 fills at least one. */
    public static String of(long value, long most, int columns) {
        int filled = most == 0 ? 0 : (int) (value * columns / most);
        filled = value > 0 ? Math.max(1, filled) : 0;
        return "|" + "#".repeat(filled) + " ".repeat(columns - filled) + "|";
    }
}
