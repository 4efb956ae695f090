package io.berth.scheduler.signin;

import io.berth.identity.IdentityConfig;
import io.berth.identity.StartRefusal;
import io.berth.identity.http.BoundedHttp;
import io.berth.identity.outgoing.TokenEndpoint;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Holds the sign-in page and the token endpoint of the OpenID Connect provider, for the authorization code flow. Both
 * are null if {@link SignInConfig} has no client id.
 */
@Singleton
class CodeSignIn {
    private static final String PREFIX = "berth.sign-in.oidc.";
    /** The priority of the start observer, which runs before observers without a priority. */
    private static final int EARLY = -10;
    /** The maximum number of connections to the token endpoint. */
    private static final int CONNECTIONS_MAX = 4;

    private final @Nullable URI signInPage;
    private final @Nullable TokenEndpoint tokenEndpoint;
    private final @Nullable BoundedHttp http;
    private final String scope;

    CodeSignIn(SignInConfig config, IdentityConfig identity, Vertx vertx, TlsConfigurationRegistry tls) {
        SignInConfig.Oidc oidc = config.oidc();
        scope = oidc.scope();
        if (oidc.clientId().isEmpty()) {
            signInPage = null;
            tokenEndpoint = null;
            http = null;
            return;
        }
        if (!identity.strategy().equals("oidc")) {
            throw StartRefusal.because(
                    PREFIX + "client-id: tokens of an OpenID Connect provider need berth.auth.strategy=oidc");
        }
        signInPage = url(oidc.authorizationUrl(), "authorization-url");
        http = new BoundedHttp(vertx, tls, url(oidc.tokenUrl(), "token-url"),
                new BoundedHttp.Limits(identity.oidc().timeout(), CONNECTIONS_MAX, SignInEndpoint.AT_A_TIME));
        tokenEndpoint = new TokenEndpoint(
                http, oidc.clientId().get(), oidc.clientSecret().orElse(null), InstantSource.system());
    }

    private static URI url(Optional<String> value, String key) {
        try {
            return BoundedHttp.parseBase(value.orElseThrow(() -> new IllegalArgumentException("is missing")));
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because(PREFIX + key + ": " + e.getMessage());
        }
    }

    /** Does nothing, but makes the container create the bean at start, so that an invalid option fails the start. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    @PreDestroy
    void close() {
        if (http != null) {
            http.close();
        }
    }

    /** Returns the URL of the provider's sign-in page; null if no client is configured. */
    @Nullable URI signInPage() {
        return signInPage;
    }

    /** Returns the token endpoint; null if no client is configured. */
    @Nullable TokenEndpoint tokenEndpoint() {
        return tokenEndpoint;
    }

    String scope() {
        return scope;
    }
}
