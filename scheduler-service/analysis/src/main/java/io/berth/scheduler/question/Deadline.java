package io.berth.scheduler.question;

import io.berth.context.CooperativeYield;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.time.Duration;

/** When a question is to be answered with what there is. Begins when it is made. */
public final class Deadline {
    private static final int SECONDS = 10;
    private static final int SECONDS_MAX = 60;
    /** No question may take longer. */
    public static final Duration MOST = Duration.ofSeconds(SECONDS_MAX);

    private final long beganNanos = System.nanoTime();
    private final Duration atMost;

    public Deadline(Duration atMost) {
        this.atMost = atMost;
    }

    /** Of the member {@code timeout_s}: 1 to {@value #SECONDS_MAX} seconds, {@value #SECONDS} by default. */
    public static Deadline of(StrictObject body) {
        @Nullable Long seconds = body.longWithin("timeout_s", 1, SECONDS_MAX);
        return new Deadline(Duration.ofSeconds(seconds == null ? SECONDS : seconds));
    }

    /** Lets event loops run first where that is due: questions ask this again and again. */
    public boolean isUp() {
        CooperativeYield.yieldIfDue();
        return left().isZero();
    }

    /** Never negative. */
    public Duration left() {
        Duration left = atMost.minusNanos(System.nanoTime() - beganNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
