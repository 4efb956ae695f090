package io.berth.deploy.steady;

import java.util.UUID;

/**
 * The outcome of one claim or release of allocations: a line of the journal of {@link SteadyClaims}, with the
 * components separated by blanks.
 *
 * @param sentMs time before the request was sent, in milliseconds since the epoch
 * @param answeredMs time after the response was read or the request failed, in milliseconds since the epoch
 */
record Entry(Kind kind, UUID consumer, long sentMs, long answeredMs) {
    enum Kind {
        /** A claim of one unit got 204. */
        CLAIMED,
        /** A release got 204. */
        RELEASED,
        /** A claim got no response, or a status other than 204: the consumer may have allocations. */
        CLAIM_UNKNOWN,
        /** A release got no response, or a status other than 204: the allocations may be deleted. */
        RELEASE_UNKNOWN
    }

    static Entry parse(String line) {
        String[] words = line.split(" ");
        return new Entry(Kind.valueOf(words[0]), UUID.fromString(words[1]), Long.parseLong(words[2]),
                Long.parseLong(words[3]));
    }

    @Override
    public String toString() {
        return kind + " " + consumer + " " + sentMs + " " + answeredMs;
    }
}
