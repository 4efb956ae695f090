package io.berth.scheduler.record;

import io.berth.model.text.Bar;
import io.berth.model.text.PlainText;

/** Shows how many hosts or trees are left after each step, as one bar per line. */
final class Funnel {
    /** Characters of the longest bar. */
    private static final int BAR = 24;

    private final PlainText out;
    private final long all;
    private long remaining;

    /**
     * Adds the first line.
     *
     * @param all number before the first step
     * @param what names what is counted
     */
    Funnel(PlainText out, long all, String what) {
        this.out = out;
        this.all = all;
        this.remaining = all;
        line(all, what);
    }

    /**
     * Adds a line, unless the step removed nothing.
     *
     * @param rest number after the step
     * @param by name of the step
     */
    void step(long rest, String by) {
        if (rest < remaining) {
            remaining = rest;
            line(rest, by);
        }
    }

    private void line(long count, String text) {
        out.item(PlainText.format("  %,7d %s ", count, Bar.of(count, all, BAR)), text);
    }
}
