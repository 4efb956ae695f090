package io.berth.identity.log;

import jakarta.annotation.Nullable;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Writes log lines on a thread of its own, so that no event loop waits for a disk or a terminal. The queue is bounded
 * in lines. Lines that do not fit are dropped, and their number is logged after the next line.
 */
final class WaitingLines {
    private static final long STOP_MS = 1_000;

    private final String threadName;
    private final Logger log;
    /** The lines as records. The writing thread renders their text. */
    private final BlockingQueue<Record> waiting;
    private final AtomicLong droppedCount = new AtomicLong();
    @Nullable
    private Thread writer;

    WaitingLines(String threadName, Logger log, int linesMax) {
        this.threadName = threadName;
        this.log = log;
        this.waiting = new ArrayBlockingQueue<>(linesMax);
    }

    void start() {
        writer = Thread.ofPlatform().daemon().name(threadName).start(this::writeAll);
    }

    /** Writes the lines that are in the queue. Returns after at most a second, even if lines are left. */
    void stop() {
        if (writer != null) {
            writer.interrupt();
            try {
                writer.join(STOP_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void add(Record line) {
        if (!waiting.offer(line)) {
            droppedCount.incrementAndGet();
        }
    }

    private void writeAll() {
        try {
            while (true) {
                write(waiting.take());
            }
        } catch (InterruptedException e) {
            writeWaiting();
        }
    }

    void writeWaiting() {
        for (Record next = waiting.poll(); next != null; next = waiting.poll()) {
            write(next);
        }
    }

    private void write(Record line) {
        log.info(line);
        long dropped = droppedCount.getAndSet(0);
        if (dropped > 0) {
            log.warnf("%d lines are missing before this one: the queue of lines to write was full", dropped);
        }
    }
}
