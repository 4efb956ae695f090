package io.berth.scheduler.record;

import io.berth.model.text.Bar;
import io.berth.model.text.PlainText;

/** Shows how many are left after each step, as bars under each other. */
final class Funnel {
    private static final int BAR = 24;

    private final PlainText out;
    private final long all;
    private long left;

    /** Adds the first line. */
    Funnel(PlainText out, long all, String what) {
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
        out.item(PlainText.format("  %,7d %s ", count, Bar.of(count, all, BAR)), text);
    }
}
