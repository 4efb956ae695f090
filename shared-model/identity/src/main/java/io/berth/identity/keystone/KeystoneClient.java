package io.berth.identity.keystone;

import io.berth.identity.IdentityConfig;
import io.berth.identity.StartRefusal;
import io.berth.identity.TimeSource;
import io.berth.identity.http.BoundedHttp;
import io.berth.identity.http.Breaker;
import io.berth.identity.outgoing.Credentials;
import io.berth.identity.outgoing.IssuedToken;
import io.berth.identity.outgoing.RenewedToken;
import io.berth.identity.outgoing.TokenGrant;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Singleton;
import java.net.ConnectException;
import java.net.URI;
import java.util.Map;

/**
 * Validates callers' tokens with Keystone, and logs in. A validation carries this service's own token; if Keystone
 * refuses that token, the validation is repeated once with a new one. Every call has a timeout.
 *
 * <p>One circuit breaker covers all validations and the service's own login. If each of the last {@value
 * #BREAKER_FAILURES} calls failed to connect or got a status of 5xx, calls fail at once for {@value #BREAKER_OPEN_MS}
 * ms. Then the breaker lets calls through again; it closes after {@value #BREAKER_PROBES} successful ones, and opens
 * again if one fails. A timeout after connecting does not count as a failure, because it may only mean that Keystone is
 * busy.
 *
 * <p>Unverified credentials, such as made-up tokens and passwords, have connections and a queue of their own. So they
 * delay neither the service's own login nor tokens that were valid at their last validation.
 */
@Singleton
public class KeystoneClient {
    /** The name under which the breaker's state can be queried. */
    static final String BREAKER = "keystone";
    private static final int BREAKER_FAILURES = 20;
    private static final long BREAKER_OPEN_MS = 1_000;
    private static final int BREAKER_PROBES = 10;
    /**
     * The path of validations and logins. The parameter omits the service catalog, which Berth does not use and which
     * would be most of a response.
     */
    private static final String TOKENS_PATH = "/auth/tokens?nocatalog";
    private static final String URL_KEY = "berth.auth.keystone.url";

    private final URI url;
    /** For tokens that were not valid at a previous validation, and for users' logins. */
    private final BoundedHttp unknownHttp;
    /** For tokens that were valid at their last validation, and for the service's own login. */
    private final BoundedHttp knownHttp;
    private final KeystoneAccount account;
    private final RenewedToken ownToken;
    private final TypedGuard<Uni<BoundedHttp.Response>> breaker;

    KeystoneClient(IdentityConfig identity, Vertx vertx, TlsConfigurationRegistry tls, TimeSource time) {
        IdentityConfig.Keystone config = identity.keystone();
        this.url = versionedUrl(config.url().orElseThrow(() -> StartRefusal.because(URL_KEY + " is missing")));
        this.account = KeystoneAccount.of(config).orElseThrow(() -> StartRefusal.because(
                "berth.auth.keystone needs username and password, or application-credential-id and -secret"));
        var limits = new BoundedHttp.Limits(config.timeout(), Math.max(1, config.connections()), config.queue());
        this.unknownHttp = new BoundedHttp(vertx, tls, url, limits);
        this.knownHttp = new BoundedHttp(vertx, tls, url, limits);
        this.ownToken = new RenewedToken(this::issue, time);
        this.breaker = TypedGuard.create(new TypeLiteral<Uni<BoundedHttp.Response>>() {})
                .withDescription(BREAKER)
                .withCircuitBreaker()
                .name(BREAKER)
                .with(Breaker.after(BREAKER_FAILURES, BREAKER_OPEN_MS))
                .successThreshold(BREAKER_PROBES)
                .when(failure -> failure instanceof KeystoneFailed || failure instanceof ConnectException)
                .done()
                .build();
    }

    private static URI versionedUrl(String url) {
        try {
            URI base = BoundedHttp.parseBase(url);
            return base.getRawPath().endsWith("/v3") ? base : URI.create(base + "/v3");
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because(URL_KEY + "=" + url + ": " + e.getMessage());
        }
    }

    @PreDestroy
    void close() {
        unknownHttp.close();
        knownHttp.close();
    }

    /** Returns credentials with the token of this service's own account, for calls to other services. */
    public Credentials credentials() {
        return Credentials.renewed(ownToken, "x-auth-token", "");
    }

    /** Returns the URL of Keystone, which ends in {@code /v3}. */
    URI url() {
        return url;
    }

    /**
     * Obtains the service's own token, unless a valid one is cached. Fails if Keystone does not respond, or refuses the
     * service's account.
     */
    Uni<Void> login() {
        return ownToken.get().replaceWithVoid();
    }

    /**
     * Validates a caller's token. Fails if Keystone does not respond, refuses the service's account, or gives a
     * response that says nothing about the token.
     *
     * @param token text that is valid in a header
     * @param wasValid whether the token was valid at its last validation
     */
    Uni<TokenValidation> validate(String token, boolean wasValid) {
        return validate(token, wasValid ? knownHttp : unknownHttp, true);
    }

    private Uni<TokenValidation> validate(String token, BoundedHttp http, boolean mayRetry) {
        return ownToken.get().chain(ownTokenText -> breaker
                .get(() -> send(http, HttpMethod.GET, Map.of("x-auth-token", ownTokenText, "x-subject-token", token),
                        null))
                .chain(response -> switch (response.status()) {
                    case 200 -> Uni.createFrom()
                            .<TokenValidation>item(KeystoneJson.parseToken(response.body().getBytes()));
                    // A response without Keystone's error body may be from a proxy, and says nothing about the token.
                    case 400, 404 -> KeystoneJson.findMessage(response.body().getBytes()).isPresent()
                            ? Uni.createFrom().<TokenValidation>item(new TokenValidation.Invalid())
                            : failValidation(response);
                    case 401 -> {
                        ownToken.forget(ownTokenText);
                        yield mayRetry ? validate(token, http, false) : failValidation(response);
                    }
                    default -> failValidation(response);
                }));
    }

    /**
     * Returns a failure, not an invalid token: the response says nothing about the caller's token, which may be valid.
     */
    private Uni<TokenValidation> failValidation(BoundedHttp.Response response) {
        String needed = response.status() == 403 ? " (which needs the role service or admin)" : "";
        return Uni.createFrom().failure(new KeystoneUnavailable(
                "it answered " + response.status() + " to a validation by " + account + needed));
    }

    private Uni<IssuedToken> issue() {
        return breaker.get(() -> post(knownHttp, account)).map(KeystoneClient::parseGrant).map(grant -> switch (grant) {
            case TokenGrant.Granted(IssuedToken issued) -> issued;
            case TokenGrant.Denied(String why) ->
                throw new KeystoneUnavailable("it refused the login of " + account + ": " + why);
        });
    }

    /**
     * Exchanges the password of any user for a token; emits {@link TokenGrant.Denied} if Keystone refuses. Fails if
     * Keystone does not respond, or if the response is not Keystone's. The call bypasses the circuit breaker: anyone
     * may send these requests, and user names for which Keystone returns 5xx must not stop the validation of tokens.
     */
    public Uni<TokenGrant> exchange(KeystoneAccount login) {
        return post(unknownHttp, login).map(KeystoneClient::parseGrant);
    }

    private Uni<BoundedHttp.Response> post(BoundedHttp http, KeystoneAccount login) {
        return send(http, HttpMethod.POST, Map.of(), Buffer.buffer(KeystoneJson.renderLogin(login)));
    }

    private static TokenGrant parseGrant(BoundedHttp.Response response) {
        byte[] body = response.body().getBytes();
        String token = response.headers().get("x-subject-token");
        if (response.headers().get("openstack-auth-receipt") != null) {
            return new TokenGrant.Denied("Keystone asks for more than a password");
        }
        return response.status() == 201 && token != null
                ? new TokenGrant.Granted(new IssuedToken(token, KeystoneJson.parseExpiry(body)))
                : KeystoneJson.findMessage(body)
                        .map(why -> new TokenGrant.Denied("Keystone answered " + response.status() + ": " + why))
                        .orElseThrow(() -> new KeystoneUnavailable("it answered " + response.status()
                                + " to a login, without Keystone's error body: a proxy may have answered for it"));
    }

    /** Sends a request to {@link #TOKENS_PATH}. Fails if no response arrives, or its status is 5xx. */
    private static Uni<BoundedHttp.Response> send(
            BoundedHttp http, HttpMethod method, Map<String, String> auth, @Nullable Buffer body) {
        Map<String, String> headers = new java.util.HashMap<>(auth);
        headers.put("accept", "application/json");
        if (body != null) {
            headers.put("content-type", "application/json");
        }
        return http.send(method, TOKENS_PATH, headers, body).invoke(response -> {
            if (response.status() >= 500) {
                throw new KeystoneFailed("it answered " + response.status());
            }
        });
    }
}
