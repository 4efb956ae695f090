package io.berth.identity.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.TimeForTests;
import io.berth.identity.http.BoundedHttp;
import io.berth.identity.outgoing.TokenEndpoint;
import io.berth.identity.outgoing.TokenGrant;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the strategy oidc against a provider that signs tokens and introspects opaque ones. */
@QuarkusTest
@QuarkusTestResource(value = StandInProvider.class, restrictToAnnotatedClass = true)
class OidcIdentityIT {
    private final HttpClient client = HttpClient.newHttpClient();

    @TestHTTPResource("/whoami")
    URI whoami;

    @Inject
    Vertx vertx;

    @Inject
    TlsConfigurationRegistry tls;

    @Inject
    TimeForTests time;

    @Inject
    Verifications verifications;

    @ConfigProperty(name = "stand-in.url")
    String provider;

    /** Counts the tokens that Quarkus accepted. Quarkus uses the machine's clock instead of the test's. */
    @Singleton
    static class Verifications implements SecurityIdentityAugmentor {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public Uni<SecurityIdentity> augment(SecurityIdentity identity, AuthenticationRequestContext context) {
            count.incrementAndGet();
            return Uni.createFrom().item(identity);
        }
    }

    private JsonObject claims() {
        long now = System.currentTimeMillis() / 1_000;
        return new JsonObject().put("iss", provider).put("aud", "berth").put("sub", "u1").put("project_id", "p1")
                .put("iat", now)
                .put("exp", now + 300).put("jti", UUID.randomUUID().toString())
                .put("roles", new JsonArray().add("reader").add("member"));
    }

    private static String signed(JsonObject claims) {
        return SignedToken.signed(StandInProvider.KEYS, claims);
    }

    private HttpResponse<String> bearer(String token) {
        return get(HttpRequest.newBuilder(whoami).header("Authorization", "Bearer " + token).build());
    }

    private HttpResponse<String> get(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
    }

    private String introspections(String token) {
        return get(HttpRequest.newBuilder(URI.create(provider + "/asked/" + token)).build()).body();
    }

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("www-authenticate")).contains("Bearer realm=\"berth\"");
        assertThat(answer.body()).isEqualTo("the header Authorization has no valid bearer token");
    }

    @Test
    void readsUserProjectAndRolesOfTheClaims() {
        assertThat(bearer(signed(claims())).body()).isEqualTo("u1 p1 [member, reader]");
    }

    @Test
    void readsTheSystemScopeOfItsClaim() {
        assertThat(bearer(signed(claims().put("system_scope", "all"))).body())
                .isEqualTo("u1 null [member, reader] system");
    }

    @Test
    void assignsNoRolesWithoutTheClaim() {
        JsonObject claims = claims();
        claims.remove("roles");
        assertThat(bearer(signed(claims)).body()).isEqualTo("u1 p1 []");
    }

    @Test
    void refusesAnExpiredToken() {
        assertRefused(bearer(signed(claims().put("exp", System.currentTimeMillis() / 1_000 - 60))));
    }

    @Test
    void refusesATokenOfAnotherIssuer() {
        assertRefused(bearer(signed(claims().put("iss", "http://elsewhere.example"))));
    }

    @Test
    void refusesATokenForAnotherAudience() {
        assertRefused(bearer(signed(claims().put("aud", "another"))));
        JsonObject withoutAudience = claims();
        withoutAudience.remove("aud");
        assertRefused(bearer(signed(withoutAudience)));
        assertRefused(bearer("other-" + UUID.randomUUID()));
    }

    /** Quarkus introspects such a token at the provider, which confirms that it is active and returns no user. */
    @Test
    void refusesATokenForAnotherAudienceWhoseKeyIsNotKnownYet() {
        var keys = SignedToken.newKeys();
        assertThat(bearer(SignedToken.signed(keys, "JWT", "k2", claims())).statusCode()).isEqualTo(200);
        assertRefused(bearer(SignedToken.signed(keys, "JWT", "k2", claims().put("aud", "another"))));
        JsonObject withoutAudience = claims();
        withoutAudience.remove("aud");
        assertRefused(bearer(SignedToken.signed(keys, "JWT", "k2", withoutAudience)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ID", "Refresh", "Offline", "Logout"})
    void refusesATokenThatIsNotForServices(String typ) {
        assertRefused(bearer(signed(claims().put("typ", typ))));
    }

    @Test
    void refusesALogoutTokenByItsEvents() {
        assertRefused(bearer(signed(claims().put("events",
                new JsonObject().put("http://schemas.openid.net/event/backchannel-logout", new JsonObject())))));
        assertRefused(bearer(SignedToken.signed(StandInProvider.KEYS, "logout+jwt", claims())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer", "DPoP", "at+jwt"})
    void acceptsTokensWhoseTypeIsForServices(String typ) {
        assertThat(bearer(signed(claims().put("typ", typ))).statusCode()).isEqualTo(200);
        assertThat(bearer(SignedToken.signed(StandInProvider.KEYS, typ, claims())).statusCode()).isEqualTo(200);
    }

    @Test
    void refusesATokenThatAnotherKeySigned() {
        assertRefused(bearer(SignedToken.signed(SignedToken.newKeys(), claims())));
    }

    @Test
    void refusesAnUnsignedToken() {
        assertRefused(bearer(SignedToken.unsigned(claims())));
    }

    @Test
    void refusesATokenWhoseClaimsWereChanged() {
        String[] parts = signed(claims()).split("\\.");
        String others = signed(claims().put("sub", "admin")).split("\\.")[1];
        assertRefused(bearer(parts[0] + "." + others + "." + parts[2]));
    }

    @Test
    void refusesTwoTokensAtOnce() {
        // Vert.x keeps only one of the headers if a request offers HTTP/2, which the services do not support.
        assertRefused(get(HttpRequest.newBuilder(whoami).version(HttpClient.Version.HTTP_1_1)
                .header("Authorization", "Bearer " + signed(claims()))
                .header("Authorization", "Bearer " + signed(claims()))
                .build()));
    }

    @Test
    void refusesRequestsWithoutABearerToken() {
        assertRefused(get(HttpRequest.newBuilder(whoami).build()));
        assertRefused(get(HttpRequest.newBuilder(whoami).header("Authorization", "Basic dTpw").build()));
        assertRefused(get(HttpRequest.newBuilder(whoami).header("x-auth-token", "admin").build()));
    }

    @Test
    void verifiesATokenAgainAfterItsExpiry() {
        // The test's clock is ahead of Quarkus' clock, by which the token is valid as long as the test runs.
        time.pass(Duration.ofHours(1));
        Instant end = time.instant().plusSeconds(30).truncatedTo(ChronoUnit.SECONDS);
        String token = signed(claims().put("exp", end.getEpochSecond()));
        int before = verifications.count.get();
        assertThat(bearer(token).statusCode()).isEqualTo(200);
        time.pass(Duration.between(time.instant(), end).minusNanos(1));
        assertThat(bearer(token).statusCode()).isEqualTo(200);
        assertThat(verifications.count.get() - before).isEqualTo(1);
        // Lifetimes are counted in milliseconds.
        time.pass(Duration.ofMillis(1));
        assertThat(bearer(token).statusCode()).isEqualTo(200);
        assertThat(verifications.count.get() - before).as("verified again after its expiry").isEqualTo(2);
    }

    @Test
    void introspectsAnOpaqueTokenOnceAMinute() {
        String token = "good-" + UUID.randomUUID();
        assertThat(bearer(token).body()).isEqualTo("u2 p2 [reader]");
        time.pass(Duration.ofSeconds(60).minusNanos(1));
        assertThat(bearer(token).body()).isEqualTo("u2 p2 [reader]");
        assertThat(introspections(token)).isEqualTo("1");
        time.pass(Duration.ofNanos(1));
        assertThat(bearer(token).body()).isEqualTo("u2 p2 [reader]");
        assertThat(introspections(token)).isEqualTo("2");
    }

    @Test
    void refusesAnOpaqueTokenThatIsNotActive() {
        assertRefused(bearer("inactive-" + UUID.randomUUID()));
    }

    @Test
    void refusesACodeOnlyForErrorsThatConcernTheCode() {
        var http = new BoundedHttp(
                vertx, tls, URI.create(provider + "/token"), new BoundedHttp.Limits(Duration.ofMinutes(5), 1, 1));
        try {
            var tokens = new TokenEndpoint(http, "berth", "secret", InstantSource.system());
            Function<String, TokenGrant> exchanged =
                    code -> tokens.exchangeCode(code, "verifier", "http://page.example").await().indefinitely();
            assertThat(exchanged.apply("good")).isInstanceOf(TokenGrant.Granted.class);
            assertThat(exchanged.apply("invalid_grant")).isEqualTo(
                    new TokenGrant.Denied("the token endpoint answered 400: because"));
            Map.of(
                    "invalid_client", "401: because: it refuses client berth (invalid_client)",
                    "unauthorized_client", "400: because: it refuses client berth (unauthorized_client)",
                    "unsupported_grant_type", "400: because: it refuses client berth (unsupported_grant_type)",
                    "proxy-401", "401, without an error of a provider", "proxy-403",
                    "403, without an error of a provider", "proxy-404", "404, without an error of a provider")
                    .forEach((code, why) -> assertThatThrownBy(() -> exchanged.apply(code))
                            .isInstanceOf(BoundedHttp.NoResponse.class)
                            .hasMessage("the token endpoint answered " + why));
        } finally {
            http.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"failing", "silent"})
    void returns503IfTheProviderSendsNoUsableResponse(String kind) {
        var answer = bearer(kind + "-" + UUID.randomUUID());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("The token could not be checked: the identity provider does not answer, or too many tokens"
                        + " are being checked.");
    }
}
