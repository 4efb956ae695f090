package io.berth.scheduler.job;

import io.berth.context.CooperativeYield;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.time.Duration;

/**
 * The time at which an analysis stops, even if its result is incomplete. The time runs from the creation of this
 * object.
 */
public final class Deadline {
    private static final int SECONDS_BY_DEFAULT = 10;
    private static final int SECONDS_MAX = 60;
    /** The maximum time of an analysis. */
    public static final Duration MAX = Duration.ofSeconds(SECONDS_MAX);

    private final long beganNanos = System.nanoTime();
    private final Duration limit;

    /** @param limit the time from now to the deadline */
    public Deadline(Duration limit) {
        this.limit = limit;
    }

    /**
     * Reads the member {@code timeout_s}: 1 to {@value #SECONDS_MAX} seconds, {@value #SECONDS_BY_DEFAULT} by default.
     */
    public static Deadline of(StrictObject body) {
        @Nullable Long seconds = body.longWithin("timeout_s", 1, SECONDS_MAX);
        return new Deadline(Duration.ofSeconds(seconds == null ? SECONDS_BY_DEFAULT : seconds));
    }

    /**
     * Returns whether the time is up. Also yields the processor to event loops if the thread has run long enough (see
     * {@link CooperativeYield}), because analyses call this method often.
     */
    public boolean isUp() {
        CooperativeYield.yieldIfDue();
        return left().isZero();
    }

    /** Returns the time left, never negative. */
    public Duration left() {
        Duration rest = limit.minusNanos(System.nanoTime() - beganNanos);
        return rest.isNegative() ? Duration.ZERO : rest;
    }
}
