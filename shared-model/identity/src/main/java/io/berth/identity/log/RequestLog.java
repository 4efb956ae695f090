package io.berth.identity.log;

import io.berth.identity.Caller;
import io.berth.identity.Identification;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Logs one line for each request that ended, with {@code -} as its status if the response was not completed. The line
 * has the form of OpenStack's request log, with the user, the project and the duration added. Skips paths under
 * {@code /q/} (health, metrics), requests that the connection guard (package {@code io.berth.http}) refuses, and
 * requests whose client closed the connection before they began.
 * <br>Source: placement {@code requestlog.py}.
 */
@Singleton
public final class RequestLog {
    static final String CATEGORY = "io.berth.requests";
    /**
     * The priority of the filter. Filters with a higher priority run first; only those of the date header and of the
     * management port do. The measured time of a request begins in this filter.
     */
    private static final int PRIORITY = 20_001;
    private static final int WAITING_LINES_MAX = 4_096;

    private final boolean isOn;
    private final WaitingLines lines = new WaitingLines("request-log", Logger.getLogger(CATEGORY), WAITING_LINES_MAX);

    /**
     * @param isOn whether a line is logged for each request (log category {@code io.berth.requests}); at most 4,096
     *         lines wait to be written; further lines are dropped, and a warning has their number
     */
    RequestLog(@ConfigProperty(name = "berth.log.requests", defaultValue = "false") boolean isOn) {
        this.isOn = isOn;
    }

    void listen(@Observes Filters filters) {
        if (isOn) {
            filters.register(this::begin, PRIORITY);
        }
    }

    void start(@Observes StartupEvent started) {
        if (isOn) {
            lines.start();
        }
    }

    void stop(@Observes ShutdownEvent stopped) {
        lines.stop();
    }

    private void begin(RoutingContext request) {
        String path = request.request().path();
        // On a closed connection, the end handler would not be called.
        if (!request.response().closed() && (path == null || !path.startsWith("/q/"))) {
            long startNanos = System.nanoTime();
            request.addEndHandler(
                    done -> lines.add(createLine(request, done.succeeded(), System.nanoTime() - startNanos)));
        }
        request.next();
    }

    private static RequestLine createLine(RoutingContext http, boolean isComplete, long nanos) {
        HttpServerRequest request = http.request();
        HttpServerResponse response = http.response();
        Caller caller = Identification.of(http) instanceof Identification.Known known ? known.caller() : null;
        return new RequestLine(
                request.remoteAddress() == null ? null : request.remoteAddress().hostAddress(),
                request.method().name(),
                request.uri(),
                isComplete ? response.getStatusCode() : 0,
                response.bytesWritten(),
                response.headers().get("openstack-api-version"),
                caller == null ? null : caller.userId(),
                caller == null ? null : caller.projectId(),
                response.headers().get("x-openstack-request-id"),
                nanos / 1e6);
    }
}
