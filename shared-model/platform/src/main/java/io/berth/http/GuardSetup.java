package io.berth.http;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Singleton;

/** Passes limits and the renderer of error bodies to the connection guard, just before the service listens. */
@Singleton
public class GuardSetup implements HttpServerOptionsCustomizer {
    private final SharedGuardState guard;
    private final RefusalRenderer renderer;
    private final BodyLimits bodyLimits;

    GuardSetup(Vertx vertx, RefusalRenderer renderer, BodyLimits bodyLimits) {
        this.guard = ((GuardedTransport) ((VertxInternal) vertx).transport()).guard();
        this.renderer = renderer;
        this.bodyLimits = bodyLimits;
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        configure(options);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        configure(options);
    }

    private void configure(HttpServerOptions options) {
        // Connections with HTTP/2 would bypass the connection guard. With TLS, quarkus.http.http2=false disables
        // HTTP/2.
        options.setHttp2ClearTextEnabled(false);
        guard.configure(options, renderer, bodyLimits);
    }
}
