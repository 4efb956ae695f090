package io.berth.deploy.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that must hold eventually. How long that takes depends on the machine, and no test asserts it.
 */
public final class Await {
    /** The longest wait; then the test fails. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long POLL_EVERY_MS = 50;

    private Await() {}

    /**
     * Waits until the condition is true, checking it 20 times a second. Returns how long that took.
     *
     * @param what the condition in words, for the message of the failure
     * @throws AssertionError if it is not true within {@link #PATIENCE}
     */
    public static Duration eventually(String what, BooleanSupplier condition) {
        return eventually(() -> {
            if (!condition.getAsBoolean()) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
        });
    }

    /**
     * Repeats the assertion until it succeeds; throws its last failure after {@link #PATIENCE}. Returns how long that
     * took.
     */
    public static Duration eventually(Runnable assertion) {
        long began = System.nanoTime();
        while (true) {
            try {
                assertion.run();
                return Duration.ofNanos(System.nanoTime() - began);
            } catch (AssertionError notYet) {
                if (System.nanoTime() - began > PATIENCE.toNanos()) {
                    throw notYet;
                }
            }
            pause(POLL_EVERY_MS);
        }
    }

    public static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
