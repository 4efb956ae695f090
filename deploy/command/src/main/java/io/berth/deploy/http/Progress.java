package io.berth.deploy.http;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Prints the progress of long work: at most one line in five seconds, and none in the first five. Thread-safe. */
public final class Progress {
    private static final long LINE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintWriter out;
    private final long beganNanos = System.nanoTime();
    private long nextLineNanos = beganNanos + LINE_INTERVAL_NANOS;

    public Progress(PrintWriter out) {
        this.out = out;
    }

    /** Prints a line now, without regard to the five seconds. */
    public void printLine(String line) {
        out.println(line);
        out.flush();
    }

    /** Starts a phase of work on {@code total} items; {@code label} begins each of its progress lines. */
    Phase phase(String label, int total) {
        return new Phase(label, total);
    }

    /** Counts the items of one phase that are done. Thread-safe. */
    final class Phase {
        private final String label;
        private final int total;
        private final long phaseBeganNanos = System.nanoTime();
        private final AtomicInteger done = new AtomicInteger();

        private Phase(String label, int total) {
            this.label = label;
            this.total = total;
        }

        /** Counts one item more as done, and prints a progress line if it is time for one. */
        void doneOne() {
            int count = done.incrementAndGet();
            long nowNanos = System.nanoTime();
            synchronized (Progress.this) {
                if (nowNanos - nextLineNanos < 0) {
                    return;
                }
                nextLineNanos = nowNanos + LINE_INTERVAL_NANOS;
            }
            printLine("  " + label + ": " + line(count, total, nowNanos - phaseBeganNanos));
        }
    }

    /**
     * Renders {@code 1,200 of 5,000 (24 %), 240/s, 16 s left}. The remaining time is extrapolated from the mean rate of
     * the phase so far.
     */
    static String line(int done, int total, long elapsedNanos) {
        double perSecond = done / Math.max(1e-9, elapsedNanos / 1e9);
        long remainingSeconds = Math.round((total - done) / Math.max(1e-9, perSecond));
        return "%,d of %,d (%d %%), %,.0f/s, %s left".formatted(
                done, total, 100L * done / Math.max(1, total), perSecond,
                duration(Duration.ofSeconds(remainingSeconds)));
    }

    static String duration(Duration time) {
        return time.toHours() > 0 ? "%d h %d min".formatted(time.toHours(), time.toMinutesPart())
                : time.toMinutes() > 0 ? "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart())
                        : "%d s".formatted(time.toSeconds());
    }

    /** Returns the seconds since this object was created. */
    public long elapsedSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNanos);
    }
}
