package io.berth.scheduler.http;

import io.berth.http.Bodies;
import io.berth.http.BodyLimits;
import io.berth.identity.Identification;
import io.berth.identity.IdentityGate;
import io.berth.identity.policy.Policy;
import io.berth.model.text.NearNames;
import io.berth.observability.RouteTemplates;
import io.berth.scheduler.identity.SchedulerRules;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Guards all routes: each request gets its id, and is refused if its caller is unknown (401) or not allowed (403), if
 * its query string has parameters that the route does not take (400), or, before it is read, if its body is too large
 * (413) or exceeds the available memory (503). Versions, health, metrics, the operator's page and the description of
 * the sign-in stay open.
 */
@Singleton
class FrontDoor {
    /** Runs early: filters with the highest number run first. */
    private static final int FIRST = 10_000;
    private static final int ONCE_IDENTIFIED = IdentityGate.PRIORITY - 10;
    private static final int LAST_ROUTE = 100_000;
    /** The route whose bodies contain a whole fleet. */
    private static final String LARGE_BODIES = "/v1/simulations";
    /** Clients request these before they have a token. */
    private static final Set<String> VERSIONS = Set.of("/", "/v1", "/v1/");
    /**
     * Clients of this route have no token yet: its bodies are limited to few and small ones, so that they cannot
     * exhaust the memory for others.
     */
    private static final String SIGN_IN = "/v1/sign_in";
    private static final long SIGN_IN_BYTES_MAX = 16 * 1024;
    private static final int SIGN_INS_MAX = 64;
    /** The static files below this path: a route serves every such path, so that none reaches another route. */
    private static final String PAGE = "/ui";

    private final BodyLimits bodyLimits;
    private final Policy policy;
    private final RouteTemplates routes;
    private final AtomicInteger signIns = new AtomicInteger();

    FrontDoor(BodyLimits bodyLimits, Policy policy, RouteTemplates routes) {
        this.bodyLimits = bodyLimits;
        this.policy = policy;
        this.routes = routes;
    }

    void guard(@Observes Filters filters) {
        filters.register(this::admit, FIRST);
        filters.register(this::authorize, ONCE_IDENTIFIED);
    }

    void routes(@Observes Router router) {
        router.route().order(LAST_ROUTE).handler(request -> refuse(
                request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + request.normalizedPath())));
    }

    private void admit(RoutingContext request) {
        request.response().putHeader(RequestId.HEADER, RequestId.of(request));
        request.next();
    }

    private void authorize(RoutingContext request) {
        String path = request.normalizedPath();
        // The routing drops everything after a semicolon, and would find a route for which no rule was checked.
        if (path.indexOf(';') >= 0) {
            refuse(request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + path));
            return;
        }
        if (isOpen(path)) {
            request.next();
            return;
        }
        if (path.equals(SIGN_IN)) {
            request.addEndHandler(ended -> signIns.decrementAndGet());
            if (signIns.incrementAndGet() > SIGN_INS_MAX) {
                refuseForNow(request, ErrorCode.OVERLOADED, SIGN_INS_MAX + " sign in at this moment");
            } else {
                checkParameters(request, path);
            }
            return;
        }
        switch (Identification.of(request)) {
            case Identification.Known known -> {
                String rule = SchedulerRules.ruleOf(request.request().method(), path);
                if (policy.allows(rule, known.caller())) {
                    checkParameters(request, path);
                } else {
                    refuse(request, new ApiError(ErrorCode.FORBIDDEN, "the policy does not allow " + rule));
                }
            }
            case Identification.Unauthenticated unknown -> {
                request.response().putHeader("www-authenticate", unknown.challenge());
                refuse(request, new ApiError(ErrorCode.UNAUTHORIZED, unknown.why()));
            }
            case Identification.Unavailable away -> refuseForNow(request, ErrorCode.IDENTITY_UNAVAILABLE, away.why());
            // The identity gate does not check such a path, although a route might still match it.
            case null -> refuse(request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + path));
        }
    }

    /** Refuses unknown parameters, so that a misspelled one is not silently ignored. */
    private void checkParameters(RoutingContext request, String path) {
        int route = request.request().query() == null ? routes.size() : routes.find(path);
        if (route == routes.size()) {
            admitBody(request, path);
            return;
        }
        Set<String> known = RouteNames.parameters(request.request().method().name(), routes.name(route));
        for (String name : request.queryParams().names()) {
            if (!known.contains(name)) {
                refuse(request, new ApiError(ErrorCode.REQUEST_INVALID, "unknown query parameter " + name
                        + (known.isEmpty()
                                ? ": the route takes none"
                                : ": the route takes " + String.join(", ", new TreeSet<>(known)) + NearNames.hint(name, known))));
                return;
            }
        }
        admitBody(request, path);
    }

    private void admitBody(RoutingContext request, String path) {
        long bytesMax = switch (path) {
            case LARGE_BODIES -> bodyLimits.large();
            case SIGN_IN -> SIGN_IN_BYTES_MAX;
            default -> bodyLimits.general();
        };
        switch (Bodies.admit(request.request(), bytesMax)) {
            case ADMITTED -> request.next();
            case TOO_LARGE -> refuse(request, new ApiError(
                    ErrorCode.BODY_TOO_LARGE, "a body of this route has at most " + bytesMax + " bytes"));
            case NO_ROOM -> refuseForNow(request, ErrorCode.OVERLOADED, Bodies.NO_ROOM);
        }
    }

    private static void refuseForNow(RoutingContext request, ErrorCode code, String why) {
        request.response().putHeader(HttpHeaders.RETRY_AFTER, ErrorMappers.RETRY_AFTER_SECONDS);
        refuse(request, new ApiError(code, why));
    }

    private static boolean isOpen(String path) {
        return VERSIONS.contains(path) || isBelow("/q", path) || isBelow(PAGE, path);
    }

    private static boolean isBelow(String root, String path) {
        return path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
    }

    static void refuse(RoutingContext request, ApiError error) {
        request.response()
                .setStatusCode(error.code().status())
                .putHeader(RequestId.HEADER, RequestId.of(request))
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(error.render(RequestId.of(request)));
    }
}
