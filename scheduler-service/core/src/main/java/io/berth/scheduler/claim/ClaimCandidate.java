package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.List;
import java.util.Objects;

/**
 * A ranked host and the allocation requests that are tried on it.
 *
 * @param <H> the caller's type of a host
 * @param requests in the order in which they are tried; at least one
 */
public record ClaimCandidate<H>(H host, List<AllocationRequest> requests) {
    public ClaimCandidate {
        Objects.requireNonNull(host, "host");
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("nothing to claim on " + host);
        }
    }

    public ClaimCandidate(H host, AllocationRequest request) {
        this(host, List.of(request));
    }
}
