package io.berth.identity;

import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The sender of a request.
 *
 * @param projectId null unless project scoped
 * @param domainId null unless domain scoped
 * @param roles lower case, including implied ones
 * @param systemScoped whether the token is for the whole deployment, not for a project
 */
public record Caller(
        String userId, @Nullable String projectId, @Nullable String domainId, Set<String> roles, boolean systemScoped) {
    public Caller {
        Set<String> lowered = new HashSet<>();
        roles.forEach(role -> lowered.add(role.toLowerCase(Locale.ROOT)));
        roles = Set.copyOf(lowered);
    }

    public static Caller ofProject(String userId, @Nullable String projectId, Set<String> roles) {
        return new Caller(userId, projectId, null, roles, false);
    }

    public static Caller ofSystem(String userId, Set<String> roles) {
        return new Caller(userId, null, null, roles, true);
    }
}
