package io.berth.identity.policy;

import io.berth.identity.Caller;
import jakarta.annotation.Nullable;

/**
 * The target of a request, as far as rules can use it.
 *
 * @param projectId the project that it belongs to, or null
 * @param userId the user that it belongs to, or null
 */
record Target(@Nullable String projectId, @Nullable String userId) {
    /**
     * Returns the target of a route that names no other: the caller's own project and user. Source: placement {@code
     * context.py}, can.
     */
    static Target ownOf(Caller caller) {
        return new Target(caller.projectId(), caller.userId());
    }
}
