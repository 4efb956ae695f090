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
 * The filters before all routes. Each request gets its id. A request is refused if its caller is not identified (401),
 * cannot be identified now (503) or is not permitted by the policy (403), if its query string has an unknown parameter
 * (400), or if its body is too large (413) or exceeds the memory for bodies (503), which is checked before the body is
 * read. The routes for versions, health, metrics and the operator's page are exempt from these checks. The sign-in
 * needs no identification; the number of its requests is limited instead.
 */
@Singleton
class RouteGuard {
    /** Priority of the filter that sets the request id. Filters with the highest number run first. */
    private static final int REQUEST_ID_PRIORITY = 10_000;
    /** Priority of the checks, which run after {@link IdentityGate} has identified the caller. */
    private static final int CHECKS_PRIORITY = IdentityGate.PRIORITY - 10;
    /** Order of the route for all paths that no other route serves. */
    private static final int LAST_ROUTE = 100_000;
    /** The route whose bodies have the larger limit, because such a body may contain a whole fleet. */
    private static final String LARGE_BODIES = "/v1/simulations";
    /** Paths of the version discovery, which clients read before they have a token. */
    private static final Set<String> VERSIONS = Set.of("/", "/v1", "/v1/");
    /**
     * The route of the sign-in, whose clients have no token yet. The size and the number of its requests are limited,
     * so that unidentified clients cannot exhaust the memory for bodies.
     */
    private static final String SIGN_IN = "/v1/sign_in";
    /** Maximum bytes of a body of the sign-in; a larger one gets 413. */
    private static final long SIGN_IN_BYTES_MAX = 16 * 1024;
    /** Maximum concurrent requests to sign in; further ones get 503. */
    private static final int SIGN_INS_MAX = 64;
    /**
     * Path of the operator's page. One route serves all paths below it, so they cannot reach a route that is guarded.
     */
    private static final String OPERATOR_PAGE = "/ui";

    private final BodyLimits bodyLimits;
    private final Policy policy;
    private final RouteTemplates routes;
    private final AtomicInteger signIns = new AtomicInteger();

    RouteGuard(BodyLimits bodyLimits, Policy policy, RouteTemplates routes) {
        this.bodyLimits = bodyLimits;
        this.policy = policy;
        this.routes = routes;
    }

    void guard(@Observes Filters filters) {
        filters.register(this::setRequestId, REQUEST_ID_PRIORITY);
        filters.register(this::authorize, CHECKS_PRIORITY);
    }

    void routes(@Observes Router router) {
        router.route().order(LAST_ROUTE).handler(request -> refuse(
                request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + request.normalizedPath())));
    }

    private void setRequestId(RoutingContext request) {
        request.response().putHeader(RequestId.HEADER, RequestId.of(request));
        request.next();
    }

    private void authorize(RoutingContext request) {
        String path = request.normalizedPath();
        // JAX-RS ignores a path's text after a semicolon, and would serve a route whose rule was not checked.
        if (path.indexOf(';') >= 0) {
            refuse(request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + path));
            return;
        }
        if (isPublic(path)) {
            request.next();
            return;
        }
        if (path.equals(SIGN_IN)) {
            request.addEndHandler(ended -> signIns.decrementAndGet());
            if (signIns.incrementAndGet() > SIGN_INS_MAX) {
                refuseForNow(
                        request, ErrorCode.OVERLOADED,
                        SIGN_INS_MAX + " requests to sign in are in flight, the maximum");
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
            case Identification.Unauthenticated unauthenticated -> {
                request.response().putHeader("www-authenticate", unauthenticated.challenge());
                refuse(request, new ApiError(ErrorCode.UNAUTHORIZED, unauthenticated.reason()));
            }
            case Identification.Unavailable unavailable ->
                refuseForNow(request, ErrorCode.IDENTITY_UNAVAILABLE, unavailable.reason());
            // The identity gate compares the path before its normalization, and skips /q/../v1/moves as a path of /q/.
            case null -> refuse(request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + path));
        }
    }

    /**
     * Refuses a request with an unknown query parameter, so that a misspelled parameter is not silently ignored;
     * otherwise continues with the body. A path without a route passes, and gets 404 from the last route.
     */
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
                                : ": the route takes " + String.join(", ", new TreeSet<>(known))
                                        + NearNames.hint(name, known))));
                return;
            }
        }
        admitBody(request, path);
    }

    private void admitBody(RoutingContext request, String path) {
        long bytesMax = switch (path) {
            case LARGE_BODIES -> bodyLimits.largeBytesMax();
            case SIGN_IN -> SIGN_IN_BYTES_MAX;
            default -> bodyLimits.generalBytesMax();
        };
        switch (Bodies.admit(request.request(), bytesMax)) {
            case ADMITTED -> request.next();
            case TOO_LARGE -> refuse(request, new ApiError(
                    ErrorCode.BODY_TOO_LARGE, "a body of this route has at most " + bytesMax + " bytes"));
            case NO_ROOM -> refuseForNow(request, ErrorCode.OVERLOADED, Bodies.NO_ROOM_DETAIL);
        }
    }

    private static void refuseForNow(RoutingContext request, ErrorCode code, String why) {
        request.response().putHeader(HttpHeaders.RETRY_AFTER, ErrorMappers.RETRY_AFTER_SECONDS);
        refuse(request, new ApiError(code, why));
    }

    private static boolean isPublic(String path) {
        return VERSIONS.contains(path) || isBelow("/q", path) || isBelow(OPERATOR_PAGE, path);
    }

    private static boolean isBelow(String root, String path) {
        return path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
    }

    /** Ends the request with the error. */
    static void refuse(RoutingContext request, ApiError error) {
        request.response()
                .setStatusCode(error.code().status())
                .putHeader(RequestId.HEADER, RequestId.of(request))
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(error.render(RequestId.of(request)));
    }
}
