package io.berth.identity.policy;

import io.berth.identity.Caller;
import jakarta.annotation.Nullable;

/**
 * What is asked for, as far as rules can ask about it.
 *
 * @param projectId the project that it belongs to, or null
 * @param userId the user that it belongs to, or null
 */
record Target(@Nullable String projectId, @Nullable String userId) {
    /** Where an API names nothing else, a caller acts on what is its own. Source: placement {@code context.py}, can. */
    static Target ownOf(Caller caller) {
        return new Target(caller.projectId(), caller.userId());
    }
}
