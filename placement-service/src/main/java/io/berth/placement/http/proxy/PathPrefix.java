package io.berth.placement.http.proxy;

import io.berth.identity.StartRefusal;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Serves requests below a prefix as if they had none, for proxies that pass paths on unchanged. Requests without the
 * prefix are served, too; health and metrics ({@code /q}) are not below it.
 *
 * <p>Option: {@code berth.placement.path-prefix}, such as {@code /placement}; none when unset. Upstream: the mount
 * point of the WSGI application.
 */
@Singleton
class PathPrefix {
    private static final String KEY = PathPrefix.class.getName();
    private static final Pattern USABLE = Pattern.compile("(/[A-Za-z0-9._~-]+)+");
    /** Runs before every other filter, so that the others see the path without the prefix. */
    private static final int FIRST = Integer.MAX_VALUE;
    private static final int EARLY = -10;
    private static final int NOT_FOUND = 404;

    private final String prefix;

    /** @param stated the path before the API's own, such as {@code /placement}; requests without it are served too */
    PathPrefix(@ConfigProperty(name = "berth.placement.path-prefix") Optional<String> stated) {
        this.prefix = stated.orElse("").replaceFirst("/$", "");
    }

    void start(@Observes @Priority(EARLY) StartupEvent starting) {
        if (!prefix.isEmpty() && !USABLE.matcher(prefix).matches()) {
            throw StartRefusal.because("berth.placement.path-prefix=" + prefix
                    + ": must be a path such as /placement, of letters, digits and . _ ~ -");
        }
    }

    void guard(@Observes Filters filters) {
        if (!prefix.isEmpty()) {
            filters.register(this::strip, FIRST);
        }
    }

    private void strip(RoutingContext http) {
        HttpServerRequest request = http.request();
        String path = request.path();
        // Compares the path as the router normalizes it: //q is /q, and so is %71.
        if (http.get(KEY) != null || path == null || !isUnder(prefix, path)
                || isUnder(prefix + "/q", http.normalizedPath())) {
            http.next();
            return;
        }
        if (!isUnder(prefix, http.normalizedPath())) {
            http.response().setStatusCode(NOT_FOUND).end();
            return;
        }
        http.put(KEY, prefix);
        String rest = path.length() == prefix.length() ? "/" : path.substring(prefix.length());
        http.reroute(request.query() == null ? rest : rest + "?" + request.query());
    }

    private static boolean isUnder(String folder, String path) {
        return path.startsWith(folder) && (path.length() == folder.length() || path.charAt(folder.length()) == '/');
    }

    /** Returns the prefix that was removed from the request's path; empty if none was. */
    static String of(RoutingContext http) {
        return http.get(KEY, "");
    }
}
