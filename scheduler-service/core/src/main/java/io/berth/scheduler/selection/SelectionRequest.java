package io.berth.scheduler.selection;

import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;

/**
 * A request to select destinations.
 *
 * @param open the parts of the request that are derived from flavor and image
 * @param claims whether the client named the instances; without names there is no consumer to claim for
 * @param again whether the instances were placed before, with names that may be gone by now
 */
public record SelectionRequest(
        RequestSpec spec, Constraints.Open open, boolean returnAlternates, boolean claims, boolean again) {
    /** Returns this request with another specification. */
    public SelectionRequest with(RequestSpec other) {
        return new SelectionRequest(other, open, returnAlternates, claims, again);
    }

    /** Returns this request as a dry run, which claims nothing. */
    public SelectionRequest withoutClaims() {
        return new SelectionRequest(spec, open, returnAlternates, false, again);
    }
}
