package io.berth.deploy.http;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Prints the progress of long work: one line every five seconds, none for shorter work. Thread-safe. */
public final class Progress {
    private static final long BETWEEN_LINES_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter out;
    private final long beganNanos = System.nanoTime();
    private long nextLineNanos = beganNanos + BETWEEN_LINES_NANOS;

    public Progress(PrintWriter out) {
        this.out = out;
    }

    public void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Starts a phase of work on {@code total} items; {@code what} is the label of its progress lines. */
    Phase phase(String what, int total) {
        return new Phase(what, total);
    }

    /** Counts the items of one phase that are done. Thread-safe. */
    final class Phase {
        private final String what;
        private final int total;
        private final long phaseBeganNanos = System.nanoTime();
        private final AtomicInteger done = new AtomicInteger();

        private Phase(String what, int total) {
            this.what = what;
            this.total = total;
        }

        void doneOne() {
            int count = done.incrementAndGet();
            long now = System.nanoTime();
            synchronized (Progress.this) {
                if (now - nextLineNanos < 0) {
                    return;
                }
                nextLineNanos = now + BETWEEN_LINES_NANOS;
            }
            say("  " + what + ": " + line(count, total, now - phaseBeganNanos));
        }
    }

    /** Renders {@code 1,200 of 5,000 (24 %), 240/s, 16 s left}; the rest is extrapolated from the mean rate so far. */
    static String line(int done, int total, long nanos) {
        double perSecond = done / Math.max(1e-9, nanos / 1e9);
        long left = Math.round((total - done) / Math.max(1e-9, perSecond));
        return "%,d of %,d (%d %%), %,.0f/s, %s left".formatted(
                done, total, 100L * done / Math.max(1, total), perSecond, duration(Duration.ofSeconds(left)));
    }

    static String duration(Duration time) {
        return time.toHours() > 0 ? "%d h %d min".formatted(time.toHours(), time.toMinutesPart())
                : time.toMinutes() > 0 ? "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart())
                        : "%d s".formatted(time.toSeconds());
    }

    /** Returns the seconds since this object was created. */
    public long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos);
    }
}
