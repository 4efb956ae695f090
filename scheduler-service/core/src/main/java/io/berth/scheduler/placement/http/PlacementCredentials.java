package io.berth.scheduler.placement.http;

import io.berth.identity.IdentityConfig;
import io.berth.identity.StartRefusal;
import io.berth.identity.http.BoundedHttp;
import io.berth.identity.keystone.KeystoneClient;
import io.berth.identity.outgoing.Credentials;
import io.berth.identity.outgoing.RenewedToken;
import io.berth.identity.outgoing.TokenEndpoint;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;

/** Makes the scheduler's credentials for placement according to {@link PlacementAuthConfig#strategy}. */
@Singleton
class PlacementCredentials {
    private static final String PREFIX = "berth.placement-auth.";
    /** Priority of the observer {@link #start}. Negative, so that it runs before the observers without a priority. */
    private static final int EARLY = -10;

    private final Credentials credentials;

    PlacementCredentials(
            PlacementAuthConfig config,
            PlacementConfig placement,
            IdentityConfig identity,
            Instance<KeystoneClient> keystone,
            Vertx vertx,
            TlsConfigurationRegistry tls) {
        String strategy = config.strategy().orElse(identity.strategy().equals("keystone") ? "keystone" : "token");
        this.credentials = switch (strategy) {
            case "token" -> Credentials.token(requirePrintable(placement.token()));
            case "keystone" -> keystone.get().credentials();
            case "basic" -> Credentials.basic(
                    require(config.username(), "username"), require(config.password(), "password"));
            case "oidc" -> clientCredentials(config.oidc(), placement, vertx, tls);
            default -> throw StartRefusal.because(
                    PREFIX + "strategy=" + strategy + ": must be one of token, keystone, basic, oidc");
        };
    }

    /** Makes Quarkus create this bean at start, so that a wrong configuration stops the start. */
    void start(@Observes @Priority(EARLY) StartupEvent starting) {}

    Credentials get() {
        return credentials;
    }

    private static Credentials clientCredentials(
            PlacementAuthConfig.Oidc config, PlacementConfig placement, Vertx vertx, TlsConfigurationRegistry tls) {
        URI endpoint;
        try {
            endpoint = BoundedHttp.parseBase(require(config.tokenUrl(), "oidc.token-url"));
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because(PREFIX + "oidc.token-url: " + e.getMessage());
        }
        // 2 connections and 10 waiting calls are enough, because all calls to placement share one token.
        TokenEndpoint tokens = new TokenEndpoint(
                new BoundedHttp(vertx, tls, endpoint, new BoundedHttp.Limits(placement.timeout(), 2, 10)),
                require(config.clientId(), "oidc.client-id"),
                require(config.clientSecret(), "oidc.client-secret"),
                InstantSource.system());
        String scope = config.scope().orElse(null);
        return Credentials.renewed(
                new RenewedToken(() -> tokens.requestOwnToken(scope), InstantSource.system()), "authorization",
                "Bearer ");
    }

    /**
     * Returns the token; refuses the start if a header may not contain the token. The error message is logged, so it
     * does not contain the token.
     */
    private static String requirePrintable(String token) {
        if (!token.chars().allMatch(character -> character > ' ' && character < 0x7f)) {
            throw StartRefusal.because(
                    "berth.placement-token has a character that is not allowed in a header; use printable ASCII");
        }
        return token;
    }

    private static String require(Optional<String> value, String key) {
        return value.orElseThrow(() -> StartRefusal.because(PREFIX + key + " is missing"));
    }
}
