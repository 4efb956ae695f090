package io.berth.scheduler.trace;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes ids of decisions: uuids of version 7, which begin with the time in milliseconds. So they sort by time, and
 * records of the same time are stored together. They are not secret.
 * <br>Source: RFC 9562, section 5.7.
 */
public final class DecisionId {
    private static final long MILLIS_MAX = (1L << 48) - 1;

    private DecisionId() {}

    /** Returns a new id. */
    public static UUID at(long millis) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return of(millis, random.nextLong(), random.nextLong());
    }

    private static UUID of(long millis, long some, long more) {
        return new UUID(millis << 16 | 0x7000 | some & 0xfff, 0x8000_0000_0000_0000L | more & 0x3fff_ffff_ffff_ffffL);
    }

    /** Returns a bound below every id of this time and later. Times outside the range of ids are clamped to it. */
    public static UUID lowest(Instant moment) {
        long millis = moment.isBefore(Instant.EPOCH) ? 0 : Math.min(moment.getEpochSecond(), MILLIS_MAX / 1_000) * 1_000
                + moment.getNano() / 1_000_000;
        return new UUID(Math.min(millis, MILLIS_MAX) << 16, 0);
    }
}
