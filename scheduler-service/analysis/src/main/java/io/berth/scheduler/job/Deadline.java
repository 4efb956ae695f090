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
    private static final int SECONDS = 10;
    private static final int SECONDS_MAX = 60;
    /** The maximum time of an analysis. */
    public static final Duration MOST = Duration.ofSeconds(SECONDS_MAX);

    private final long beganNanos = System.nanoTime();
    private final Duration atMost;

    /** @param atMost the time from now to the deadline */
    public Deadline(Duration atMost) {
        this.atMost = atMost;
    }

    /** Reads the member {@code timeout_s}: 1 to {@value #SECONDS_MAX} seconds, {@value #SECONDS} by default. */
    public static Deadline of(StrictObject body) {
        @Nullable Long seconds = body.longWithin("timeout_s", 1, SECONDS_MAX);
        return new Deadline(Duration.ofSeconds(seconds == null ? SECONDS : seconds));
    }

    /** Returns whether the time is up, and yields to event loops if that is due: analyses call this often. */
    public boolean isUp() {
        CooperativeYield.yieldIfDue();
        return left().isZero();
    }

    /** Returns the time left, never negative. */
    public Duration left() {
        Duration left = atMost.minusNanos(System.nanoTime() - beganNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
