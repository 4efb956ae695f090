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

/** Holds the provider's sign-in page and its token endpoint for codes, if {@link SignInConfig} names a client. */
@Singleton
class CodeSignIn {
    private static final String PREFIX = "berth.sign-in.oidc.";
    private static final int EARLY = -10;
    private static final int CONNECTIONS = 4;

    private final @Nullable URI page;
    private final @Nullable TokenEndpoint tokens;
    private final @Nullable BoundedHttp http;
    private final String scope;

    CodeSignIn(SignInConfig config, IdentityConfig identity, Vertx vertx, TlsConfigurationRegistry tls) {
        SignInConfig.Oidc oidc = config.oidc();
        scope = oidc.scope();
        if (oidc.clientId().isEmpty()) {
            page = null;
            tokens = null;
            http = null;
            return;
        }
        if (!identity.strategy().equals("oidc")) {
            throw StartRefusal.because(PREFIX + "client-id: its tokens are good with berth.auth.strategy=oidc alone");
        }
        page = url(oidc.authorizationUrl(), "authorization-url");
        http = new BoundedHttp(vertx, tls, url(oidc.tokenUrl(), "token-url"),
                new BoundedHttp.Limits(identity.oidc().timeout(), CONNECTIONS, SignInEndpoint.AT_A_TIME));
        tokens = new TokenEndpoint(
                http, oidc.clientId().get(), oidc.clientSecret().orElse(null), InstantSource.system());
    }

    private static URI url(Optional<String> value, String key) {
        try {
            return BoundedHttp.parseBase(value.orElseThrow(() -> new IllegalArgumentException("is missing")));
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because(PREFIX + key + ": " + e.getMessage());
        }
    }

    /** Exists so that the bean is created at start and a wrong configuration fails at once. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    @PreDestroy
    void close() {
        if (http != null) {
            http.close();
        }
    }

    /** Returns null without a client. */
    @Nullable URI page() {
        return page;
    }

    /** Returns null without a client. */
    @Nullable TokenEndpoint tokens() {
        return tokens;
    }

    String scope() {
        return scope;
    }
}
