package io.berth.deploy.ask;

import io.berth.deploy.text.Bar;
import io.berth.deploy.text.Table;
import java.io.PrintWriter;
import java.util.List;

/** Prints how many are left after each step, as bars under each other. */
final class Funnel {
    private static final int BAR = 24;
    /** The width of the text after the number and the bar. */
    private static final int TEXT = 62;

    private final PrintWriter out;
    private final long all;
    private long left;

    /** Prints the first line. */
    Funnel(PrintWriter out, long all, String what) {
        this.out = out;
        this.all = all;
        this.left = all;
        line(all, what);
    }

    /** Ignores a step that removes none. */
    void step(long rest, String by) {
        if (rest < left) {
            left = rest;
            line(rest, by);
        }
    }

    private void line(long count, String text) {
        List<String> lines = Table.wrap(text, TEXT);
        out.println("  %,7d %s %s".formatted(count, Bar.of(count, all, BAR), lines.getFirst()).stripTrailing());
        lines.stream().skip(1).forEach(rest -> out.println(" ".repeat(BAR + 13) + rest));
    }
}
