package io.berth.model.text;

/** Draws a fraction as a bar of characters. */
public final class Bar {
    private Bar() {}

    /**
     * Returns a bar between two {@code |}.
     *
     * @param value 0 to {@code most}; a value above 0 fills at least one column
     * @param most the value of a full bar
     * @param columns width without the two {@code |}
     */
    public static String of(long value, long most, int columns) {
        int filled = most == 0 ? 0 : (int) (value * columns / most);
        filled = value > 0 ? Math.max(1, filled) : 0;
        return "|" + "#".repeat(filled) + " ".repeat(columns - filled) + "|";
    }
}
