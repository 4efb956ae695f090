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
 * Removes a configured prefix from the paths of requests, for proxies that forward paths unchanged. Requests without
 * the prefix are served, too. Health and metrics ({@code /q}) are not available below the prefix.
 *
 * <p>Option: {@code berth.placement.path-prefix}, such as {@code /placement}; there is no prefix unless it is set.
 * OpenStack's Placement has no such option; there, the prefix is the mount point of the WSGI application.
 */
@Singleton
class PathPrefix {
    /**
     * The key, in the {@link RoutingContext}, of the prefix that was removed. A request with this key has been rerouted
     * already and is not stripped again.
     */
    private static final String KEY = PathPrefix.class.getName();
    /** Matches a valid prefix. */
    private static final Pattern VALID_PREFIX = Pattern.compile("(/[A-Za-z0-9._~-]+)+");
    /**
     * The priority of the filter, which must run before all others, so that the other filters see the path without the
     * prefix.
     */
    private static final int FIRST = Integer.MAX_VALUE;
    /** The priority of the observer, which must run before others so that an invalid prefix stops the start. */
    private static final int EARLY = -10;
    private static final int NOT_FOUND = 404;

    /** The prefix without a slash at its end; empty if none is configured. */
    private final String prefix;

    /** @param configured the option {@code berth.placement.path-prefix}, with or without a slash at its end */
    PathPrefix(@ConfigProperty(name = "berth.placement.path-prefix") Optional<String> configured) {
        this.prefix = configured.orElse("").replaceFirst("/$", "");
    }

    void start(@Observes @Priority(EARLY) StartupEvent starting) {
        if (!prefix.isEmpty() && !VALID_PREFIX.matcher(prefix).matches()) {
            throw StartRefusal.because("berth.placement.path-prefix=" + prefix
                    + ": must be a path such as /placement, of letters, digits and . _ ~ -");
        }
    }

    /** Registers the filter that removes the prefix. */
    void registerFilter(@Observes Filters filters) {
        if (!prefix.isEmpty()) {
            filters.register(this::strip, FIRST);
        }
    }

    private void strip(RoutingContext http) {
        HttpServerRequest request = http.request();
        String path = request.path();
        boolean isRerouted = http.get(KEY) != null;
        if (isRerouted || path == null || !isUnder(prefix, path)) {
            http.next();
            return;
        }
        // Health and metrics are not available below the prefix: the path keeps the prefix, so that no route matches
        // and the response is 404. The normalized path is compared, because the router also treats //q and /%71 as /q.
        if (isUnder(prefix + "/q", http.normalizedPath())) {
            http.next();
            return;
        }
        // Refuses a path whose normalized form is not below the prefix, such as /placement/../x.
        if (!isUnder(prefix, http.normalizedPath())) {
            http.response().setStatusCode(NOT_FOUND).end();
            return;
        }
        http.put(KEY, prefix);
        String rest = path.length() == prefix.length() ? "/" : path.substring(prefix.length());
        http.reroute(request.query() == null ? rest : rest + "?" + request.query());
    }

    private static boolean isUnder(String parent, String path) {
        return path.startsWith(parent) && (path.length() == parent.length() || path.charAt(parent.length()) == '/');
    }

    /** Returns the prefix that was removed from the path of the request; an empty string if none was. */
    static String of(RoutingContext http) {
        return http.get(KEY, "");
    }
}
