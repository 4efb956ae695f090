package io.berth.identity;

import jakarta.annotation.Nullable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The authenticated sender of a request.
 *
 * @param userId the user's id; with the strategies {@code basic} and {@code token}, the name of the entry in the file
 *     that {@code berth.auth.file} names
 * @param projectId null unless the credential is project scoped
 * @param domainId null unless the credential is domain scoped
 * @param roles names of the roles in lower case, including roles that Keystone implies
 * @param systemScoped whether the credential is for the whole deployment, not for a project or domain
 */
public record Caller(
        String userId, @Nullable String projectId, @Nullable String domainId, Set<String> roles, boolean systemScoped) {
    public Caller {
        Set<String> lowerCaseRoles = new HashSet<>();
        roles.forEach(role -> lowerCaseRoles.add(role.toLowerCase(Locale.ROOT)));
        roles = Set.copyOf(lowerCaseRoles);
    }

    public static Caller ofProject(String userId, @Nullable String projectId, Set<String> roles) {
        return new Caller(userId, projectId, null, roles, false);
    }

    public static Caller ofSystem(String userId, Set<String> roles) {
        return new Caller(userId, null, null, roles, true);
    }
}
