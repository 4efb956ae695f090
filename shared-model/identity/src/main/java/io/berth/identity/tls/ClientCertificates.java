package io.berth.identity.tls;

import io.berth.identity.StartRefusal;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Whether the HTTPS port wants a certificate of its clients (mTLS), checked against Quarkus' trust store. Option
 * {@code berth.tls.client-auth}: {@code none} (default), {@code request} or {@code required}; Quarkus' own option for
 * it is fixed when the application is built.
 */
@Singleton
public class ClientCertificates implements HttpServerOptionsCustomizer {
    private final String wanted;

    /** @param wanted whether clients are asked for a certificate: {@code none}, {@code request} or {@code required} */
    ClientCertificates(@ConfigProperty(name = "berth.tls.client-auth", defaultValue = "none") String wanted) {
        this.wanted = wanted;
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        options.setClientAuth(switch (wanted) {
            case "none" -> ClientAuth.NONE;
            case "request" -> ClientAuth.REQUEST;
            case "required" -> ClientAuth.REQUIRED;
            default -> throw StartRefusal.because(
                    "berth.tls.client-auth=" + wanted + " is none of none, request, required");
        });
    }
}
