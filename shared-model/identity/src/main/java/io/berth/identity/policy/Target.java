package io.berth.identity.policy;

import io.berth.identity.Caller;
import jakarta.annotation.Nullable;

/**
 * The owner of the object that a request is about, for comparison with the caller in rules.
 *
 * @param projectId the project that owns the object; null if none does
 * @param userId the user who owns the object; null if none does
 */
record Target(@Nullable String projectId, @Nullable String userId) {
    /**
     * Returns the target of operations on objects without an owner: the caller's own project and user. Source:
     * placement {@code context.py}, can.
     */
    static Target ownOf(Caller caller) {
        return new Target(caller.projectId(), caller.userId());
    }
}
