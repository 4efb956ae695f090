package io.berth.deploy.demo;

import java.io.PrintStream;

/** What the tour prints: ASCII, at most 99 columns a line, coloured where asked. Colour is put on after padding. */
final class Screen {
    private static final String RESET = "\u001b[0m";

    private final PrintStream out;
    private final boolean coloured;

    Screen(PrintStream out, boolean coloured) {
        this.out = out;
        this.coloured = coloured;
    }

    void heading(int number, String text) {
        line("");
        line(in("1;36", number + ". " + text));
        line("");
    }

    void line(String text) {
        out.println(text.stripTrailing());
    }

    /** What the reader could type as well. */
    void command(String text) {
        line("  " + in("1", "$ " + text));
    }

    String strong(String text) {
        return in("1", text);
    }

    String good(String text) {
        return in("32", text);
    }

    String bad(String text) {
        return in("31", text);
    }

    String faint(String text) {
        return in("2", text);
    }

    /** A bar of that many columns, of which the part {@code value / most} is filled, and some of it unless it is 0. */
    static String bar(long value, long most, int columns) {
        int filled = most == 0 ? 0 : (int) (value * columns / most);
        filled = value > 0 ? Math.max(1, filled) : 0;
        return "|" + "#".repeat(filled) + " ".repeat(columns - filled) + "|";
    }

    private String in(String style, String text) {
        return coloured ? "\u001b[" + style + "m" + text + RESET : text;
    }
}
