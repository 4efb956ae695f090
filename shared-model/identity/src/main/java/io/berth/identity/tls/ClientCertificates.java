package io.berth.identity.tls;

import io.berth.identity.StartRefusal;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Configures whether the HTTPS port requests a certificate of its clients (mTLS), which is verified with Quarkus' trust
 * store. {@code berth.tls.client-auth} is {@code none} (default), {@code request} or {@code required}; with {@code
 * request}, a client without a certificate is accepted, too. With {@code required}, the plain HTTP port must not serve
 * requests, because clients without a certificate could use that port. Quarkus' own option cannot be used: it is fixed
 * when the application is built.
 */
@Singleton
public class ClientCertificates implements HttpServerOptionsCustomizer {
    /**
     * The priority among the observers of {@link StartupEvent}: lower ones run first, and most have the default, 2500.
     */
    private static final int EARLY = -10;

    private final ClientAuth clientAuth;

    /**
     * @param clientAuth whether the server requests a certificate of its clients: {@code none}, {@code request} (a
     *         client may have none) or {@code required}; {@code required} needs {@code quarkus.http.insecure-requests}
     *         to be {@code disabled} or {@code redirect}
     */
    ClientCertificates(
            @ConfigProperty(name = "berth.tls.client-auth", defaultValue = "none") String clientAuth,
            @ConfigProperty(name = "quarkus.http.insecure-requests", defaultValue = "enabled") String plainRequests) {
        this.clientAuth = switch (clientAuth) {
            case "none" -> ClientAuth.NONE;
            case "request" -> ClientAuth.REQUEST;
            case "required" -> ClientAuth.REQUIRED;
            default -> throw StartRefusal.because(
                    "berth.tls.client-auth=" + clientAuth + ": must be one of none, request, required");
        };
        if (this.clientAuth == ClientAuth.REQUIRED && plainRequests.equalsIgnoreCase("enabled")) {
            throw StartRefusal.because("berth.tls.client-auth=required, but the plain port accepts clients without a"
                    + " certificate: set QUARKUS_HTTP_INSECURE_REQUESTS=disabled, and BERTH_TLS_CERTIFICATE if it is"
                    + " not set; BERTH_MANAGEMENT_PORT opens a port for probes");
        }
    }

    /** Creates this bean at start, so that an invalid configuration stops the start. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        options.setClientAuth(clientAuth);
    }
}
