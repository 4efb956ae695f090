package io.berth.identity.keystone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strategy keystone against what is hard to get from a real Keystone; cache time 1 s, limit of a call 0.5 s. */
@QuarkusTest
@QuarkusTestResource(value = StandInKeystone.class, restrictToAnnotatedClass = true)
class KeystoneIdentityIT {
    private static final String AWAY =
            "The identity service (Keystone) does not answer; the token could not be checked.";

    private final HttpClient client = HttpClient.newHttpClient();

    @TestHTTPResource("/whoami")
    URI whoami;

    @ConfigProperty(name = "stand-in.url")
    String standIn;

    private static String token(String kind) {
        return kind + "-" + UUID.randomUUID();
    }

    private CompletableFuture<HttpResponse<String>> ask(String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(whoami);
        if (token != null) {
            request.header("x-auth-token", token);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String token) {
        return ask(token).join();
    }

    private String standIn(String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create(standIn + path)).build(), HttpResponse.BodyHandlers.ofString())
                .join().body();
    }

    private static void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }

    @Test
    void takesUserProjectAndRolesFromTheToken() {
        assertThat(get(token("good")).body()).isEqualTo("u1 p1 [member, reader]");
    }

    @Test
    void takesTheSystemScopeFromTheToken() {
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
    void refusesAMissingToken() {
        assertThat(get(null).statusCode()).isEqualTo(401);
    }

    @Test
    void refusesATokenThatHasExpired() {
        assertThat(get(token("expired")).statusCode()).isEqualTo(401);
    }

    @Test
    void doesNotAskAboutWhatCannotBeAToken() {
        String blank = "good token";
        assertThat(get(blank).statusCode()).isEqualTo(401);
        assertThat(standIn("/asked/good%20token")).isEqualTo("0");
        assertThat(get("good-ü").statusCode()).isEqualTo(401);
    }

    @Test
    void asksOnceForAllWhoAskAtTheSameTime() {
        String token = token("slow");
        List<CompletableFuture<HttpResponse<String>>> answers =
                IntStream.range(0, 50).mapToObj(i -> ask(token)).toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join().body()).isEqualTo("u1 p1 [member, reader]"));
        assertThat(standIn("/asked/" + token)).isEqualTo("1");
    }

    @Test
    void noticesARevocationWithinTheCacheTime() throws InterruptedException {
        String token = token("good");
        assertThat(get(token).statusCode()).isEqualTo(200);
        standIn("/revoke/" + token);
        sleep(Duration.ofMillis(1_100));
        assertThat(get(token).statusCode()).isEqualTo(401);
        assertThat(standIn("/asked/" + token)).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "failing", "forbidden", "garbage", "empty", "huge"})
    void answers503AndNot401WhenKeystoneGivesNoUsableAnswer(String kind) {
        // Enough good answers in between for the breaker to stay closed.
        IntStream.range(0, 3).forEach(i -> get(token("good")));
        String token = token(kind);
        var answer = get(token);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo(AWAY);
        get(token);
        assertThat(Integer.parseInt(standIn("/asked/" + token))).as("no failure is remembered").isEqualTo(2);
    }

    @Test
    void renewsItsOwnTokenWhenItIsRevoked() {
        assertThat(get(token("good")).statusCode()).isEqualTo(200);
        standIn("/revoke-service");
        assertThat(get(token("good")).statusCode()).isEqualTo(200);
    }

    @Test
    void stopsAskingAFailingKeystoneAndComesBack() throws InterruptedException {
        for (int i = 0; i < 25; i++) {
            get(token("failing"));
        }
        String token = token("good");
        assertThat(get(token).statusCode()).isEqualTo(503);
        assertThat(standIn("/asked/" + token)).isEqualTo("0");
        sleep(Duration.ofMillis(1_200));
        assertThat(get(token).statusCode()).isEqualTo(200);
    }
}
