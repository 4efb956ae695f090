package io.berth.placement.identity;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Identity by plain headers, for development: anybody may claim to be anybody. {@code x-auth-token: USER[:PROJECT]};
 * the user {@code admin} has the role admin, any other none; {@code x-roles: a,b} replaces the roles,
 * {@code x-project-id} the project;
 * {@code openstack-system-scope: all} makes the caller system scoped.
 *
 * <p>Refuses to start on an address that others can reach, unless {@code berth.auth.noauth2-anywhere} is true.
 * Source: upstream {@code placement/auth.py}, NoAuthMiddleware.
 */
@Singleton
public final class HeaderIdentity {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

    void start(
            @Observes StartupEvent event,
            @ConfigProperty(name = "quarkus.http.host") String host,
            @ConfigProperty(name = "berth.auth.noauth2-anywhere", defaultValue = "false") boolean anywhere) {
        if (!anywhere && !LOOPBACK.contains(host)) {
            throw new IllegalStateException("quarkus.http.host=" + host
                    + ": header identity (noauth2) lets anybody be admin, so it listens on loopback alone;"
                    + " set berth.auth.noauth2-anywhere=true if a trusted proxy is the only client");
        }
    }

    /** Null without a token. */
    public Caller identify(UnaryOperator<String> header) {
        String token = header.apply("x-auth-token");
        if (token == null) {
            return null;
        }
        int colon = token.indexOf(':');
        String user = colon < 0 ? token : token.substring(0, colon);
        String named = header.apply("x-project-id");
        String project = named != null ? named
                : colon < 0 || colon == token.length() - 1 ? user : token.substring(colon + 1);
        String given = header.apply("x-roles");
        Set<String> roles;
        if (given != null) {
            roles = Arrays.stream(given.split(",")).map(String::strip).collect(Collectors.toSet());
        } else {
            roles = user.equals("admin") ? Set.of("admin") : Set.of();
        }
        boolean systemScoped = "all".equals(header.apply("openstack-system-scope"));
        return new Caller(user, systemScoped ? null : project, roles, systemScoped);
    }
}
