package io.berth.deploy.steady;

import java.util.UUID;

/**
 * The outcome of one request: a line of the journal.
 *
 * @param sentMs since the epoch, before the first byte left
 * @param answeredMs since the epoch, after the response was read or the request abandoned
 */
record Entry(Kind kind, UUID consumer, long sentMs, long answeredMs) {
    enum Kind {
        /** 204 to a claim of one unit. */
        CLAIMED,
        /** 204 to a release. */
        RELEASED,
        /** The outcome is indeterminate: there was no response, or an inconclusive one. */
        CLAIM_UNKNOWN,
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
