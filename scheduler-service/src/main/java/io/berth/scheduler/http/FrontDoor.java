package io.berth.scheduler.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import io.quarkus.runtime.configuration.MemorySize;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * What happens to a request before any route sees it: it gets its id, {@code /v1/*} wants a token, and a body
 * that announces itself as too large is refused unread. Health and metrics under {@code /q} stay open.
 */
@Singleton
class FrontDoor {
    private static final String TOKEN = "x-auth-token";
    /** Runs early: the highest number is first. */
    private static final int FIRST = 10_000;
    private static final int LAST_ROUTE = 100_000;
    /** How much of a refused body is read before the connection is closed, so that the client sees the answer. */
    private static final long DRAIN_MS = 200;

    private final long bodyBytesMax;
    private final Vertx vertx;

    FrontDoor(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize bodyMax, Vertx vertx) {
        this.bodyBytesMax = bodyMax.asLongValue();
        this.vertx = vertx;
    }

    void guard(@Observes Filters filters) {
        filters.register(this::admit, FIRST);
    }

    void routes(@Observes Router router) {
        router.route().order(LAST_ROUTE).handler(request -> refuse(
                request, new ApiError(ErrorCode.NOT_FOUND, "there is no route " + request.normalizedPath())));
    }

    private void admit(RoutingContext request) {
        request.response().putHeader(RequestId.HEADER, RequestId.of(request));
        if (announcedBytes(request) > bodyBytesMax) {
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            refuse(request, new ApiError(
                    ErrorCode.BODY_TOO_LARGE, "the body is larger than " + bodyBytesMax + " bytes"));
            request.request().resume();
            vertx.setTimer(DRAIN_MS, timer -> request.request().connection().close());
        } else if (needsToken(request.normalizedPath()) && !hasToken(request)) {
            refuse(request, new ApiError(ErrorCode.UNAUTHORIZED, "the header " + TOKEN + " is missing"));
        } else {
            request.next();
        }
    }

    private static long announcedBytes(RoutingContext request) {
        String length = request.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length == null) {
            return 0;
        }
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private static boolean needsToken(String path) {
        return path.equals("/v1") || path.startsWith("/v1/");
    }

    private static boolean hasToken(RoutingContext request) {
        String token = request.request().getHeader(TOKEN);
        return token != null && !token.isBlank();
    }

    static void refuse(RoutingContext request, ApiError error) {
        request.response()
                .setStatusCode(error.code().status())
                .putHeader(RequestId.HEADER, RequestId.of(request))
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(error.render(RequestId.of(request)));
    }
}
