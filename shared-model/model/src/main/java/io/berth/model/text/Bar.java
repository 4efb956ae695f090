package io.berth.model.text;

/** Draws a fraction as a bar of characters. */
public final class Bar {
    private Bar() {}

    /**
     * Returns a bar between two {@code |}.
     *
     * @param value 0 to {@code full}; rounded down to whole columns, but a value above 0 fills at least one
     * @param full the value of a full bar
     * @param columns width without the two {@code |}
     */
    public static String of(long value, long full, int columns) {
        int filled = full == 0 ? 0 : (int) (value * columns / full);
        filled = value > 0 ? Math.max(1, filled) : 0;
        return "|" + "#".repeat(filled) + " ".repeat(columns - filled) + "|";
    }
}
