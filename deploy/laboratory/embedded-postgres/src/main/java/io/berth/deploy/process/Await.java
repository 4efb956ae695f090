package io.berth.deploy.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that must become true eventually. How long the wait takes depends on the machine, and no test
 * asserts the time.
 */
public final class Await {
    /** The maximum wait, after which the test fails. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long POLL_INTERVAL_MS = 50;

    private Await() {}

    /**
     * Waits until the condition is true, and checks it 20 times a second. Returns how long the wait took.
     *
     * @param description the condition in words, for the message of the failure
     * @throws AssertionError if the condition is not true within {@link #PATIENCE}
     */
    public static Duration eventually(String description, BooleanSupplier condition) {
        return eventually(() -> {
            if (!condition.getAsBoolean()) {
                throw new AssertionError("not within " + PATIENCE + ": " + description);
            }
        });
    }

    /**
     * Repeats the assertion until it succeeds. Throws the last failure of the assertion after {@link #PATIENCE}.
     * Returns how long the wait took.
     */
    public static Duration eventually(Runnable assertion) {
        long beganNanos = System.nanoTime();
        while (true) {
            try {
                assertion.run();
                return Duration.ofNanos(System.nanoTime() - beganNanos);
            } catch (AssertionError e) {
                if (System.nanoTime() - beganNanos > PATIENCE.toNanos()) {
                    throw e;
                }
            }
            pause(POLL_INTERVAL_MS);
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
