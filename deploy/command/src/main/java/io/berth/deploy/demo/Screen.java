package io.berth.deploy.demo;

import java.io.PrintWriter;

/**
 * Prints the lines of the tour, with colors if requested. Callers keep to ASCII and at most 99 columns a line, which
 * this class does not check. They must pad a text before they color it, because the escape sequences count as
 * characters.
 */
record Screen(PrintWriter out, boolean isColored) {
    private static final String RESET = "\u001b[0m";

    void heading(int number, String text) {
        line("");
        line(styled("1;36", number + ". " + text));
        line("");
    }

    void line(String text) {
        out.println(text.stripTrailing());
    }

    /** Prints a command that the reader could type as well. */
    void command(String text) {
        line("  " + styled("1", "$ " + text));
    }

    String strong(String text) {
        return styled("1", text);
    }

    String good(String text) {
        return styled("32", text);
    }

    String bad(String text) {
        return styled("31", text);
    }

    String faint(String text) {
        return styled("2", text);
    }

    /** @param style parameters of the escape sequence SGR: 1 is bold, 2 faint, 31 red, 32 green, 36 cyan */
    private String styled(String style, String text) {
        return isColored ? "\u001b[" + style + "m" + text + RESET : text;
    }
}
