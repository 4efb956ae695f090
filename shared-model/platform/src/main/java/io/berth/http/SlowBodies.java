package io.berth.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Ends the connection of a client whose body has not arrived in time. Quarkus' idle timeout starts anew with each
 * byte, so that a client that sends one now and then could stay for as long as it likes.
 */
@Singleton
final class SlowBodies {
    /** Before anything that could refuse the request. */
    private static final int PRIORITY = 20_000;

    private final Vertx vertx;
    private final long arrivesWithinMs;

    SlowBodies(Vertx vertx, BodyLimits limits) {
        this.vertx = vertx;
        this.arrivesWithinMs = limits.arrivesWithin().toMillis();
    }

    void guard(@Observes Filters filters) {
        filters.register(this::watch, PRIORITY);
    }

    private void watch(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        if (hasBody(request)) {
            long timer = vertx.setTimer(arrivesWithinMs, late -> {
                if (!request.isEnded()) {
                    request.connection().close();
                }
            });
            routing.addEndHandler(ended -> vertx.cancelTimer(timer));
        }
        routing.next();
    }

    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING) : !length.equals("0");
    }
}
