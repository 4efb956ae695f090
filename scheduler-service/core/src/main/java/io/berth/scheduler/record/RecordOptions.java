package io.berth.scheduler.record;

import io.berth.identity.StartRefusal;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** How long records of decisions are kept, and how many. */
@Singleton
class RecordOptions {
    /** Of the table; they are emptied one at a time. */
    static final int PARTS = 16;
    /** One is being written, and one is about to be emptied. */
    private static final int PARTS_KEPT = PARTS - 2;

    private static final int TOGETHER_MAX = 500;

    private final Duration keep;
    private final long max;

    /**
     * @param keep how long records of decisions are kept; they go a fourteenth of it at a time
     * @param max records of decisions at most, a sixteenth of which goes at a time; 0: none are made
     */
    RecordOptions(
            @ConfigProperty(name = "berth.scheduler.decisions.keep", defaultValue = "P7D") Duration keep,
            @ConfigProperty(name = "berth.scheduler.decisions.max", defaultValue = "1000000") long max) {
        if (keep.isNegative() || keep.isZero()) {
            throw StartRefusal.because("berth.scheduler.decisions.keep must be more than nothing, not " + keep);
        }
        if (max < 0) {
            throw StartRefusal.because("berth.scheduler.decisions.max must be at least 0, not " + max);
        }
        this.keep = keep;
        this.max = max;
    }

    boolean areMade() {
        return max > 0;
    }

    double keepSeconds() {
        return keep.toMillis() / 1e3;
    }

    /** After which a partition is written no more. */
    double partSeconds() {
        return keepSeconds() / PARTS_KEPT;
    }

    /**
     * With which a partition is written no more: room is left for those of the last statement. Where no records are made no
     * number ends one: others may make them.
     */
    long partRecords() {
        return areMade() ? Math.max(1, max / PARTS - togetherMax()) : Long.MAX_VALUE;
    }

    /** Records of one statement. */
    int togetherMax() {
        return Math.clamp(max / PARTS / 2, 1, TOGETHER_MAX);
    }
}
