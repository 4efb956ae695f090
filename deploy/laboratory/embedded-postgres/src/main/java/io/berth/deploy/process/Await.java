package io.berth.deploy.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that must become true eventually. Tests use this class where the time until then depends on the
 * machine, so that it cannot be asserted.
 */
public final class Await {
    /** The maximum wait, after which the test fails. */
    public static final Duration WAIT_MAX = Duration.ofMinutes(5);
    private static final long POLL_INTERVAL_MS = 50;

    private Await() {}

    /**
     * Checks the condition every {@value #POLL_INTERVAL_MS} ms until it is true. Returns how long the wait took.
     *
     * @param description the condition in words, for the message of the failure
     * @throws AssertionError if the condition is not true within {@link #WAIT_MAX}
     */
    public static Duration eventually(String description, BooleanSupplier condition) {
        return eventually(() -> {
            if (!condition.getAsBoolean()) {
                throw new AssertionError("not within " + WAIT_MAX + ": " + description);
            }
        });
    }

    /**
     * Repeats the assertion every {@value #POLL_INTERVAL_MS} ms until it succeeds. Returns how long the wait took.
     *
     * @throws AssertionError the last failure of the assertion, if it does not succeed within {@link #WAIT_MAX}; any
     *         other exception of the assertion is thrown at once
     */
    public static Duration eventually(Runnable assertion) {
        long beganNanos = System.nanoTime();
        while (true) {
            try {
                assertion.run();
                return Duration.ofNanos(System.nanoTime() - beganNanos);
            } catch (AssertionError e) {
                if (System.nanoTime() - beganNanos > WAIT_MAX.toNanos()) {
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
