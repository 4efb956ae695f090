package io.berth.identity;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Identifies the sender of each request before any route runs. The gate refuses no request itself: it attaches an
 * {@link Identification} to the request, and the service refuses with its own error bodies. The gate skips the path
 * {@code /} and paths under {@code /q/} (health, metrics).
 */
@Singleton
public class IdentityGate {
    /**
     * The priority of this filter. Filters with a higher priority run first. Quarkus' own security has the priority 200
     * and must run earlier, because the strategy oidc uses it.
     */
    public static final int PRIORITY = 150;
    /**
     * The priority of this observer of the start. Observers with a lower priority run first. A wrong configuration thus
     * stops the service before other beans begin their work.
     */
    private static final int START_PRIORITY = -10;

    private final Strategies strategies;
    /** Set at start, before the first request. */
    @SuppressWarnings("NullAway.Init")
    private volatile IdentityStrategy strategy;

    IdentityGate(Strategies strategies) {
        this.strategies = strategies;
    }

    /** Creates the strategy at start, not at the first request, so that a wrong configuration stops the start. */
    void start(@Observes @Priority(START_PRIORITY) StartupEvent starting) {
        strategy = strategies.configured();
    }

    void registerFilter(@Observes Filters filters) {
        filters.register(this::identify, PRIORITY);
    }

    private void identify(RoutingContext request) {
        String path = request.request().path();
        if (path == null || path.length() < 2 || path.startsWith("/q/")) {
            request.next();
            return;
        }
        Identification recalled = strategy.recall(request);
        if (recalled != null) {
            request.put(Identification.KEY, recalled);
            request.next();
            return;
        }
        // Pausing keeps the body unread until the route reads it. The result may arrive on the event loop of another
        // request, so the request continues in its own context.
        Context requestContext = Vertx.currentContext();
        request.request().pause();
        strategy.ask(request).subscribe().with(
                identification -> requestContext.runOnContext(ignored -> proceed(request, identification)),
                bug -> requestContext.runOnContext(ignored -> request.fail(bug)));
    }

    private static void proceed(RoutingContext request, Identification identification) {
        if (request.response().closed()) {
            return;
        }
        request.put(Identification.KEY, identification);
        request.next();
    }
}
