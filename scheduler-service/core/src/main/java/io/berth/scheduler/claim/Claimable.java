package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.List;
import java.util.Objects;

/**
 * A ranked host and the allocation requests that can claim it.
 *
 * @param <H> the caller's type of a host
 * @param requests allocation requests for the host, the best first; at least one, and only those to be tried
 */
public record Claimable<H>(H host, List<AllocationRequest> requests) {
    public Claimable {
        Objects.requireNonNull(host, "host");
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("nothing to claim on " + host);
        }
    }

    public Claimable(H host, AllocationRequest request) {
        this(host, List.of(request));
    }
}
