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
 * A port of its own for {@code /q} (health and metrics), so that a network policy can separate monitoring from use. If
 * it is open, the service's own port returns 404 under {@code /q}. It is plain HTTP, even if the service's own port
 * uses TLS.
 *
 * <p>This is a second listener of the same router instead of Quarkus' management interface, whose existence is fixed
 * when the application is built: then every installation on one machine would have two more ports.
 */
@Singleton
public class ManagementPort {
    private static final String ROOT = "/q";
    /** Allows only paths that a router cannot read as another path. */
    private static final Pattern PATH = Pattern.compile(ROOT + "(/[a-z]+)*+");
    /** The priority among filters: before all that count, refuse or identify. */
    private static final int PRIORITY = 30_000;
    private static final int NOT_FOUND = 404;
    /** The idle timeout, the same as that of the service's own port. */
    private static final int IDLE_SECONDS = 75;

    private final Vertx vertx;
    private final int port;
    private final String host;

    /**
     * @param port where health and metrics are served instead of at the service's own port; 1 to 65535, by default
     *         there is no such port
     * @param host the address of that port; by default that of the service
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

    void separate(@Observes Filters filters) {
        if (port != 0) {
            filters.register(this::separate, PRIORITY);
        }
    }

    /** Opens the port; an unavailable port ends the start. */
    void listen(@Observes Router router) {
        if (port != 0) {
            try {
                var options = new HttpServerOptions().setHost(host).setPort(port).setHttp2ClearTextEnabled(false)
                        .setIdleTimeout(IDLE_SECONDS);
                vertx.createHttpServer(options).requestHandler(request -> answer(request, router)).listen()
                        .toCompletionStage().toCompletableFuture().join();
            } catch (CompletionException | IllegalArgumentException e) {
                Throwable why = e instanceof CompletionException ? e.getCause() : e;
                throw new ConfigurationException(
                        "can't listen at berth.management.port=" + port + " of " + host + ": " + why.getMessage(), e);
            }
        }
    }

    /** Serves only public paths, because the router may not have all its filters yet. */
    private static void answer(HttpServerRequest request, Router router) {
        if (request.path() != null && PATH.matcher(request.path()).matches()) {
            router.handle(request);
        } else {
            request.response().setStatusCode(NOT_FOUND).end();
        }
    }

    private void separate(RoutingContext request) {
        String path = request.normalizedPath();
        boolean isManagement = path.equals(ROOT) || path.startsWith(ROOT + "/");
        if (isManagement == (request.request().localAddress().port() == port)) {
            request.next();
        } else {
            request.response().setStatusCode(NOT_FOUND).end();
        }
    }
}
