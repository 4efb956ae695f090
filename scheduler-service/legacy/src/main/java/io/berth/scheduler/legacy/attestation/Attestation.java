package io.berth.scheduler.legacy.attestation;

import java.time.Instant;

/**
 * The attestation service's result for one node.
 *
 * @param level trust level, compared with the extra spec {@code trust:trusted_host}
 * @param verifiedAt time at which the service last verified the node; at most the time of the response
 */
record Attestation(String level, Instant verifiedAt) {
    static final String UNKNOWN = "unknown";

    static Attestation unknown(Instant now) {
        return new Attestation(UNKNOWN, now);
    }
}
