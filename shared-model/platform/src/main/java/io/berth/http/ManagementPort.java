package io.berth.http;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * An optional separate port for {@code /q} (health, metrics, the OpenAPI specification and its page), so that a network
 * policy can separate monitoring from the API. If this port is configured, the service's own ports return 404 for paths
 * under {@code /q}. The management port is plain HTTP, even if the service uses TLS.
 *
 * <p>The port is a second listener with the same router. Quarkus' management interface is not used, because it is
 * enabled or disabled when the application is built, and would then be open in every installation.
 */
@Singleton
public class ManagementPort {
    private static final String ROOT = "/q";
    /**
     * The served paths: lower-case letters and single slashes. They have no dots, escapes or double slashes, because
     * the router would normalize such a path to another one.
     */
    private static final Pattern PATH = Pattern.compile(ROOT + "(/[a-z]+)*+");
    /**
     * The priority of the filter; filters with a higher priority run first. It is above that of all filters that count,
     * refuse or identify requests.
     */
    private static final int PRIORITY = 30_000;
    private static final int NOT_FOUND = 404;
    /** The idle timeout, in seconds, as for the service's own port. */
    private static final int IDLE_SECONDS = 75;

    private final Vertx vertx;
    private final int port;
    private final String host;

    /**
     * @param port port for health and metrics, which are then not served at the service's own port; 1 to 65535. Without
     *         a value, no such port is open
     * @param host address at which the management port listens; by default that of the service's own port
     */
    ManagementPort(
            Vertx vertx,
            @ConfigProperty(name = "berth.management.port") Optional<Integer> port,
            @ConfigProperty(name = "berth.management.host") Optional<String> host,
            @ConfigProperty(name = "quarkus.http.host") String serviceHost) {
        this.vertx = vertx;
        this.port = port.orElse(0);
        this.host = host.orElse(serviceHost);
    }

    void registerFilter(@Observes Filters filters) {
        if (port != 0) {
            filters.register(this::refuseOnWrongPort, PRIORITY);
        }
    }

    /** Opens the port. If that fails, the start ends. */
    void listen(@Observes Router router) {
        if (port != 0) {
            try {
                var options = new HttpServerOptions().setHost(host).setPort(port).setHttp2ClearTextEnabled(false)
                        .setIdleTimeout(IDLE_SECONDS);
                vertx.createHttpServer(options).requestHandler(request -> route(request, router)).listen()
                        .toCompletionStage().toCompletableFuture().join();
            } catch (CompletionException | IllegalArgumentException e) {
                Throwable why = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                throw new ConfigurationException(
                        "cannot listen at berth.management.port=" + port + " of " + host + ": " + why.getMessage(), e);
            }
        }
    }

    /**
     * Routes only requests whose path matches {@link #PATH}, and responds with 404 to all others. A request may arrive
     * before the router has its filters, so other paths could be served without authentication.
     */
    private static void route(HttpServerRequest request, Router router) {
        if (request.path() != null && PATH.matcher(request.path()).matches()) {
            router.handle(request);
        } else {
            request.response().setStatusCode(NOT_FOUND).end();
        }
    }

    /**
     * Responds with 404 to paths under {@code /q} at the service's own ports, and to all other paths at the management
     * port.
     */
    private void refuseOnWrongPort(RoutingContext request) {
        String path = request.normalizedPath();
        boolean isManagement = path.equals(ROOT) || path.startsWith(ROOT + "/");
        if (isManagement == (request.request().localAddress().port() == port)) {
            request.next();
        } else {
            request.response().setStatusCode(NOT_FOUND).end();
        }
    }
}
