package io.berth.placement.identity;

import java.util.Set;

/**
 * Who sent a request.
 *
 * @param projectId null when system scoped
 * @param roles implied ones included
 * @param systemScoped the token is for the whole deployment, not for a project
 */
public record Caller(String userId, String projectId, Set<String> roles, boolean systemScoped) {
    public Caller {
        roles = Set.copyOf(roles);
    }
}
