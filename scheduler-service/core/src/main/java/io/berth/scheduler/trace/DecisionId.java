package io.berth.scheduler.trace;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ids of decisions: uuids of version 7, which begin with the time in milliseconds. They sort by time, so that records
 * of the same time are stored together. Ids are not secret.
 * <br>Source: RFC 9562, section 5.7.
 */
public final class DecisionId {
    private static final long MILLIS_MAX = (1L << 48) - 1;

    private DecisionId() {}

    /**
     * Returns a new id.
     *
     * @param millis milliseconds since 1970, from 0 to 2^48 - 1
     */
    public static UUID at(long millis) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return of(millis, random.nextLong(), random.nextLong());
    }

    private static UUID of(long millis, long random, long moreRandom) {
        return new UUID(millis << 16 | 0x7000 | random & 0xfff,
                0x8000_0000_0000_0000L | moreRandom & 0x3fff_ffff_ffff_ffffL);
    }

    /**
     * Returns a uuid that is not greater than any id made at this time or later. Times outside the range of ids are
     * clamped to it.
     */
    public static UUID lowest(Instant moment) {
        long millis = moment.isBefore(Instant.EPOCH) ? 0 : Math.min(moment.getEpochSecond(), MILLIS_MAX / 1_000) * 1_000
                + moment.getNano() / 1_000_000;
        return new UUID(Math.min(millis, MILLIS_MAX) << 16, 0);
    }
}
