package io.berth.deploy.migration.http;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/** Lines that tell how far long work has come: one every five seconds, none for what is quick. Thread-safe. */
public final class Progress {
    private static final long BETWEEN_LINES_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintStream out;
    private final long beganNanos = System.nanoTime();
    private long nextLineNanos = beganNanos + BETWEEN_LINES_NANOS;

    public Progress(PrintStream out) {
        this.out = out;
    }

    public void say(String line) {
        out.println(line);
        out.flush();
    }

    synchronized void done(String what, int count, int total) {
        long now = System.nanoTime();
        if (now - nextLineNanos >= 0) {
            nextLineNanos = now + BETWEEN_LINES_NANOS;
            say("  %s: %,d of %,d (%d s)".formatted(what, count, total, seconds()));
        }
    }

    /** Since the beginning. */
    public long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos);
    }
}
