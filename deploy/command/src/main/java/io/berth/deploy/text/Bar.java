package io.berth.deploy.text;

/** A part of a whole, drawn. */
public final class Bar {
    private Bar() {}

    /** Of that many columns, of which the part {@code value / most} is filled, and some of it unless it is 0. */
    public static String of(long value, long most, int columns) {
        int filled = most == 0 ? 0 : (int) (value * columns / most);
        filled = value > 0 ? Math.max(1, filled) : 0;
        return "|" + "#".repeat(filled) + " ".repeat(columns - filled) + "|";
    }
}
