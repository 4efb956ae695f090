package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.List;
import java.util.Objects;

/**
 * A ranked host and what would be claimed on it.
 *
 * @param <H> whatever the caller calls a host
 * @param requests ways to claim it, the best first; at least one, and no more than shall be tried
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
