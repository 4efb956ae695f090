package io.berth.scheduler.legacy.attestation;

import java.time.Instant;

/**
 * The attestation service's result for one node.
 *
 * @param level as the extra spec {@code trust:trusted_host} names it
 * @param verified when the service last verified the node; never after the response
 */
record Attested(String level, Instant verified) {
    static final String UNKNOWN = "unknown";

    static Attested unknown(Instant now) {
        return new Attested(UNKNOWN, now);
    }
}
