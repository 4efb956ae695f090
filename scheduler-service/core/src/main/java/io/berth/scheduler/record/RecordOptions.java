package io.berth.scheduler.record;

import io.berth.identity.StartRefusal;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The limits of the age and the number of decision records. */
@Singleton
class RecordOptions {
    /** Number of partitions of each table. They are written one after the other; each is emptied as a whole. */
    static final int PARTS = 16;
    /** Number of full partitions. Of the two others, one is being written, and one is emptied to be written next. */
    private static final int PARTS_KEPT = PARTS - 2;

    /** Maximum records of one statement. */
    private static final int BATCH_MAX = 500;

    private final Duration keep;
    private final long max;

    /**
     * @param keep how long records of decisions are kept; the records of a fourteenth of this time are removed together
     * @param max maximum records of decisions of all replicas, of which a sixteenth is removed together; 0 to make no
     *     records
     */
    RecordOptions(
            @ConfigProperty(name = "berth.scheduler.decisions.keep", defaultValue = "P7D") Duration keep,
            @ConfigProperty(name = "berth.scheduler.decisions.max", defaultValue = "1000000") long max) {
        if (keep.isNegative() || keep.isZero()) {
            throw StartRefusal.because("berth.scheduler.decisions.keep must be more than 0, not " + keep);
        }
        if (max < 0) {
            throw StartRefusal.because("berth.scheduler.decisions.max must be at least 0, not " + max);
        }
        this.keep = keep;
        this.max = max;
    }

    /** Returns whether this replica makes records. */
    boolean areRecordsMade() {
        return max > 0;
    }

    /** Returns the time in seconds for which a partition is kept after its end. */
    double keepSeconds() {
        return keep.toMillis() / 1e3;
    }

    /** Returns the age in seconds at which a partition that has records ends. */
    double partSeconds() {
        return keepSeconds() / PARTS_KEPT;
    }

    /**
     * Returns the number of records at which a partition ends, which leaves space for the records of one more
     * statement. There is no limit if this replica makes no records, because other replicas may make them.
     */
    long partRecords() {
        return areRecordsMade() ? Math.max(1, max / PARTS - batchMax()) : Long.MAX_VALUE;
    }

    /** Returns the maximum records of one statement: {@value #BATCH_MAX}, but at most half a partition. */
    int batchMax() {
        return Math.clamp(max / PARTS / 2, 1, BATCH_MAX);
    }
}
