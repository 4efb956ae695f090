package io.berth.scheduler.selection;

import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;

/**
 * What is to be placed.
 *
 * @param open what of the request is to be derived from flavor and image
 * @param claims whether the caller named the instances; without names there is nobody to claim for
 * @param again whether the instances were placed before, with names that may be gone by now
 */
public record SelectionRequest(
        RequestSpec spec, Constraints.Open open, boolean returnAlternates, boolean claims, boolean again) {
    /** The same for what a request has become. */
    public SelectionRequest with(RequestSpec other) {
        return new SelectionRequest(other, open, returnAlternates, claims, again);
    }

    /** The same, only to see what would be decided. */
    public SelectionRequest withoutClaims() {
        return new SelectionRequest(spec, open, returnAlternates, false, again);
    }
}
