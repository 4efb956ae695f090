package io.berth.deploy.demo;

import java.io.PrintWriter;

/**
 * Prints the tour: ASCII, at most 99 columns a line, with colors if requested. Pad a text before it is colored, because
 * the escape sequences count as characters.
 */
record Screen(PrintWriter out, boolean coloured) {
    private static final String RESET = "\u001b[0m";

    void heading(int number, String text) {
        line("");
        line(in("1;36", number + ". " + text));
        line("");
    }

    void line(String text) {
        out.println(text.stripTrailing());
    }

    /** Prints a command that the reader could type as well. */
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

    private String in(String style, String text) {
        return coloured ? "\u001b[" + style + "m" + text + RESET : text;
    }
}
