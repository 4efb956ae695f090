package io.berth.scheduler.placement;

import java.util.Objects;

/**
 * The last answer to a query, and what placement calls it.
 *
 * @param token opaque; placement tells the next answer as what changed since this one
 */
record HeldCandidates(String token, AllocationCandidates candidates) {
    HeldCandidates {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(candidates, "candidates");
    }
}
