package io.berth.scheduler.record;

import io.berth.model.text.Bar;
import io.berth.model.text.PlainText;

/** Writes how many hosts or trees remain after each step, as one bar per line. */
final class Funnel {
    /** Characters of the longest bar. */
    private static final int BAR_LENGTH_MAX = 24;

    private final PlainText out;
    private final long all;
    private long remaining;

    /**
     * Adds the first line.
     *
     * @param all number before the first step
     * @param what text that names the counted things
     */
    Funnel(PlainText out, long all, String what) {
        this.out = out;
        this.all = all;
        this.remaining = all;
        addLine(all, what);
    }

    /**
     * Adds a line, unless the step removed nothing.
     *
     * @param count number after the step
     * @param name name of the step
     */
    void step(long count, String name) {
        if (count < remaining) {
            remaining = count;
            addLine(count, name);
        }
    }

    private void addLine(long count, String text) {
        out.item(PlainText.format("  %,7d %s ", count, Bar.of(count, all, BAR_LENGTH_MAX)), text);
    }
}
