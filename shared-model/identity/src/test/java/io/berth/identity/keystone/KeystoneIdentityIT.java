package io.berth.identity.keystone;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.process.LogLines;
import io.berth.identity.TimeForTests;
import io.berth.identity.outgoing.TokenGrant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.api.CircuitBreakerState;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the strategy keystone with cases that are hard to produce with a real Keystone. */
@QuarkusTest
@QuarkusTestResource(value = StandInKeystone.class, restrictToAnnotatedClass = true)
class KeystoneIdentityIT {
    private static final String AWAY =
            "The identity service (Keystone) does not answer; the token could not be checked.";
    private static final Duration CACHE_TIME = Duration.ofMinutes(10);
    private final HttpClient client = HttpClient.newHttpClient();

    @TestHTTPResource("/whoami")
    URI whoami;

    @Inject
    KeystoneClient keystone;

    @Inject
    CircuitBreakerMaintenance breakers;

    @Inject
    TimeForTests time;

    @ConfigProperty(name = "stand-in.url")
    String standIn;

    /** Closes the breaker and clears its window, whatever the previous test did. */
    @BeforeEach
    void closeTheBreaker() {
        breakers.reset(KeystoneClient.BREAKER);
    }

    private static String token(String kind) {
        return kind + "-" + UUID.randomUUID();
    }

    private CompletableFuture<HttpResponse<String>> send(String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(whoami);
        if (token != null) {
            request.header("x-auth-token", token);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String token) {
        return send(token).join();
    }

    private String standIn(String path) {
        return client
                .sendAsync(
                        HttpRequest.newBuilder(URI.create(standIn + path)).build(),
                        HttpResponse.BodyHandlers.ofString())
                .join().body();
    }

    /** Sends requests until the breaker stops calls to Keystone. */
    private void openTheBreaker() {
        String token;
        do {
            token = token("failing");
            get(token);
        } while (!standIn("/asked/" + token).equals("0"));
    }

    @Test
    void readsUserProjectAndRolesOfTheToken() {
        assertThat(get(token("good")).body()).isEqualTo("u1 p1 [member, reader]");
    }

    @Test
    void readsTheSystemScopeOfTheToken() {
        assertThat(get(token("system")).body()).isEqualTo("u1 null [member, reader] system");
    }

    @Test
    void refusesATokenThatKeystoneDoesNotKnow() {
        var answer = get(token("unknown"));
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("www-authenticate"))
                .contains("Keystone uri=\"" + standIn + "/identity\"");
    }

    @Test
    void cachesARefusalForFiveSeconds() {
        String token = token("unknown");
        assertThat(get(token).statusCode()).isEqualTo(401);
        time.pass(Duration.ofSeconds(5).minusNanos(1));
        assertThat(get(token).statusCode()).isEqualTo(401);
        assertThat(standIn("/asked/" + token)).isEqualTo("1");
        time.pass(Duration.ofNanos(1));
        assertThat(get(token).statusCode()).isEqualTo(401);
        assertThat(standIn("/asked/" + token)).isEqualTo("2");
    }

    @Test
    void refusesAMissingToken() {
        assertThat(get(null).statusCode()).isEqualTo(401);
    }

    @Test
    void acceptsATokenThatIsExpiredByTheLocalClock() {
        String token = token("ahead");
        assertThat(get(token).statusCode()).isEqualTo(200);
        assertThat(get(token).statusCode()).isEqualTo(200);
        assertThat(standIn("/asked/" + token)).as("validated each time").isEqualTo("2");
    }

    @Test
    void refusesInvalidTokensWithoutACallToKeystone() {
        String blank = "good token";
        assertThat(get(blank).statusCode()).isEqualTo(401);
        assertThat(standIn("/asked/good%20token")).isEqualTo("0");
        assertThat(get("good-ü").statusCode()).isEqualTo(401);
    }

    @Test
    void validatesRepeatedTokenHeadersTogether() {
        String one = token("good");
        String other = token("unknown");
        client.sendAsync(
                HttpRequest.newBuilder(whoami).version(HttpClient.Version.HTTP_1_1)
                        .header("x-auth-token", one).header("x-auth-token", other).build(),
                HttpResponse.BodyHandlers.ofString()).join();
        assertThat(standIn("/asked/" + one)).isEqualTo("0");
        assertThat(standIn("/asked/" + one + "," + other)).isEqualTo("1");
    }

    @Test
    void validatesOnceWithinTheCacheTime() {
        String token = token("good");
        for (int i = 0; i < 3; i++) {
            assertThat(get(token).body()).isEqualTo("u1 p1 [member, reader]");
        }
        assertThat(standIn("/asked/" + token)).isEqualTo("1");
    }

    @Test
    void noticesARevocationAfterTheCacheTime() {
        assertCachedFor(CACHE_TIME, token("good"));
    }

    @Test
    void refusesATokenAfterItsExpiry() {
        Instant end = time.instant().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
        assertCachedFor(Duration.between(time.instant(), end), token("ends-" + end.getEpochSecond()));
    }

    private void assertCachedFor(Duration cachedFor, String token) {
        assertThat(get(token).statusCode()).isEqualTo(200);
        standIn("/revoke/" + token);
        time.pass(cachedFor.minusNanos(1));
        assertThat(get(token).statusCode()).isEqualTo(200);
        time.pass(Duration.ofNanos(1));
        assertThat(get(token).statusCode()).isEqualTo(401);
    }

    @Test
    void concurrentRequestsShareOneValidation() {
        String token = token("slow");
        List<CompletableFuture<HttpResponse<String>>> answers =
                IntStream.range(0, 50).mapToObj(i -> send(token)).toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join().body()).isEqualTo("u1 p1 [member, reader]"));
        assertThat(standIn("/asked/" + token)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"failing", "forbidden", "garbage", "empty", "huge", "proxy"})
    void returns503IfKeystoneSendsNoUsableResponse(String kind) {
        String token = token(kind);
        var answer = get(token);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo(AWAY);
        get(token);
        assertThat(Integer.parseInt(standIn("/asked/" + token))).as("failures are not cached").isEqualTo(2);
    }

    private TokenGrant logIn(String user) {
        return keystone.exchange(new KeystoneAccount.Password(user, "Default", "pass\"word", "service", "Default"))
                .await().indefinitely();
    }

    @Test
    void refusesALoginOnlyIfKeystoneItselfRefusesIt() {
        assertThat(logIn("berth")).isInstanceOf(TokenGrant.Granted.class);
        assertThat(logIn("unknown")).isEqualTo(
                new TokenGrant.Denied("Keystone answered 401: The request you have made requires authentication."));
        assertThat(logIn("two-factors")).isEqualTo(new TokenGrant.Denied("Keystone asks for more than a password"));
        for (int status : List.of(200, 201, 302, 400, 401, 403, 404, 429, 502)) {
            assertThatThrownBy(() -> logIn("proxy-" + status)).isInstanceOf(KeystoneUnavailable.class)
                    .hasMessageStartingWith("it answered " + status);
        }
    }

    @Test
    void renewsItsOwnTokenWhenItIsRevoked() {
        assertThat(get(token("good")).statusCode()).isEqualTo(200);
        standIn("/revoke-service");
        assertThat(get(token("good")).statusCode()).isEqualTo(200);
    }

    @Test
    void stopsCallingAFailingKeystoneUntilItRecovers() {
        String remembered = token("good");
        get(remembered);
        openTheBreaker();
        assertThat(get(remembered).body()).as("a cached token stays valid").isEqualTo("u1 p1 [member, reader]");
        assertThat(standIn("/asked/" + remembered)).isEqualTo("1");
        eventually(() -> assertThat(get(token("good")).statusCode()).isEqualTo(200));
    }

    @Test
    void allowsSeveralProbesWhileTheBreakerIsHalfOpen() {
        openTheBreaker();
        eventually("some calls are let through",
                () -> breakers.currentState(KeystoneClient.BREAKER) == CircuitBreakerState.HALF_OPEN);
        List<CompletableFuture<HttpResponse<String>>> probes =
                IntStream.range(0, 3).mapToObj(i -> send(token("held"))).toList();
        eventually("all probes are at Keystone", () -> standIn("/held").equals("3"));
        standIn("/release");
        assertThat(probes).allSatisfy(probe -> assertThat(probe.join().statusCode()).isEqualTo(200));
    }

    @Test
    void logsEveryTenSecondsThatKeystoneDoesNotRespond() {
        String line = "Keystone does not answer at " + standIn
                + "/identity/v3: it answered 403 to a validation by user berth (which needs the role service or admin)";
        time.pass(Duration.ofSeconds(10));
        try (LogLines log = LogLines.of(KeystoneIdentity.class)) {
            get(token("forbidden"));
            time.pass(Duration.ofSeconds(10).minusNanos(1));
            get(token("forbidden"));
            assertThat(log.lines()).as("throttled").containsExactly(line);
            time.pass(Duration.ofNanos(1));
            get(token("forbidden"));
            assertThat(log.lines()).containsExactly(line, line);
        }
    }
}
