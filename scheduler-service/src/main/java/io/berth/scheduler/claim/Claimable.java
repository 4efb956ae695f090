package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationRequest;
import java.util.Objects;

/**
 * A ranked host and what would be claimed on it.
 *
 * @param <H> whatever the caller calls a host
 */
public record Claimable<H>(H host, AllocationRequest request) {
    public Claimable {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(request, "request");
    }
}
