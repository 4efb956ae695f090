package io.berth.identity.header;

import io.berth.identity.Caller;
import io.berth.identity.Identification;
import io.berth.identity.IdentityConfig;
import io.berth.identity.IdentityStrategy;
import io.berth.identity.RequestHeader;
import io.berth.identity.StartRefusal;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Strategy {@code noauth2}: trusts the request's headers without any check.
 * <ul>
 * <li>{@code x-auth-token: USER[:PROJECT]} is required. Without PROJECT the project has the user's name. The user
 * {@code admin} has the role admin, other users have no role.
 * <li>{@code x-roles: a,b} replaces the roles, {@code x-project-id} the project.
 * <li>{@code openstack-system-scope: all} makes the caller system scoped. With any other non-empty value, PROJECT is
 *     ignored.
 * </ul>
 *
 * <p>Refuses to start on any address but loopback, unless {@code berth.auth.noauth2-anywhere} is true. Source: upstream
 * {@code placement/auth.py}, NoAuthMiddleware.
 */
@Singleton
public class HeaderIdentity implements IdentityStrategy {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");
    private static final Set<String> ADMIN = Set.of("admin");
    private static final Identification.Unauthenticated NO_TOKEN =
            new Identification.Unauthenticated("the header x-auth-token is missing", "Token realm=\"berth\"");

    HeaderIdentity(IdentityConfig config, @ConfigProperty(name = "quarkus.http.host") String host) {
        if (!config.noauth2Anywhere() && !LOOPBACK.contains(host)) {
            throw StartRefusal.because("quarkus.http.host=" + host
                    + ": berth.auth.strategy=noauth2 trusts every caller, so it listens on loopback only; choose"
                    + " another strategy, or set berth.auth.noauth2-anywhere=true if a trusted proxy is the only"
                    + " client");
        }
    }

    @Override
    public Identification recall(RoutingContext request) {
        String token = RequestHeader.find(request, "x-auth-token");
        return token == null || token.isBlank() ? NO_TOKEN : new Identification.Known(caller(token, request));
    }

    @Override
    public Uni<Identification> ask(RoutingContext request) {
        return Uni.createFrom().item(recall(request));
    }

    private static Caller caller(String token, RoutingContext request) {
        int colon = token.indexOf(':');
        String user = colon < 0 ? token : token.substring(0, colon);
        String rolesHeader = RequestHeader.find(request, "x-roles");
        Set<String> roles;
        if (rolesHeader != null) {
            roles = Arrays.stream(rolesHeader.split(",")).map(String::strip).collect(Collectors.toSet());
        } else {
            roles = user.equals("admin") ? ADMIN : Set.of();
        }
        String scope = RequestHeader.find(request, "openstack-system-scope");
        if ("all".equals(scope)) {
            return Caller.ofSystem(user, roles);
        }
        String projectHeader = RequestHeader.find(request, "x-project-id");
        if (projectHeader != null || scope != null && !scope.isEmpty()) {
            return Caller.ofProject(user, projectHeader, roles);
        }
        String tokenProject = colon < 0 || colon == token.length() - 1 ? user : token.substring(colon + 1);
        return Caller.ofProject(user, tokenProject, roles);
    }
}
