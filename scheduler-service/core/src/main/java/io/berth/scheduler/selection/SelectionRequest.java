package io.berth.scheduler.selection;

import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;

/**
 * A request to select destinations.
 *
 * @param toDerive which of NUMA topology and PCI requests are derived from flavor and image, because the client's
 *     request does not contain them
 * @param claims whether hosts are claimed; false for a dry run, and if the client did not name the instances, which
 *     would be the consumers
 * @param placedBefore whether the instances were placed before. The zones or the server group that the request names
 *     may have been deleted since, and are then ignored
 */
public record SelectionRequest(
        RequestSpec spec, Constraints.Open toDerive, boolean returnAlternates, boolean claims, boolean placedBefore) {
    /** Returns this request with another specification. */
    public SelectionRequest with(RequestSpec other) {
        return new SelectionRequest(other, toDerive, returnAlternates, claims, placedBefore);
    }

    /** Returns this request as a dry run, which claims nothing. */
    public SelectionRequest withoutClaims() {
        return new SelectionRequest(spec, toDerive, returnAlternates, false, placedBefore);
    }
}
