package io.berth.identity.keystone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** What the limits of the strategy keystone do, where a test can wait for them. */
@QuarkusTest
@QuarkusTestResource(
        value = StandInKeystone.class,
        restrictToAnnotatedClass = true,
        initArgs = {
            @ResourceArg(name = "berth.auth.keystone.cache-time", value = "1S"),
            @ResourceArg(name = "berth.auth.keystone.timeout", value = "2S")
        })
class KeystoneLimitsIT {
    private static final int ATTEMPTS_MAX = 300;

    private final HttpClient client = HttpClient.newHttpClient();

    @TestHTTPResource("/whoami")
    URI whoami;

    @ConfigProperty(name = "stand-in.url")
    String standIn;

    private HttpResponse<String> get(String token) throws IOException, InterruptedException {
        return client.send(asking(token), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest asking(String token) {
        return HttpRequest.newBuilder(whoami).header("x-auth-token", token).build();
    }

    private String standIn(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(standIn + path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** As often as a slow machine makes a call of a good Keystone take longer than the limit. */
    private String believed() throws IOException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            String token = "good-" + UUID.randomUUID();
            if (get(token).statusCode() == 200) {
                return token;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("no good token is believed");
    }

    @Test
    void noticesARevocationAfterTheCacheTime() throws IOException, InterruptedException {
        String token = believed();
        standIn("/revoke/" + token);
        Thread.sleep(1_100);
        int status = 503;
        for (int attempt = 0; status == 503 && attempt < ATTEMPTS_MAX; attempt++) {
            status = get(token).statusCode();
        }
        assertThat(status).isEqualTo(401);
    }

    @Test
    void answers503AndNot401WhenKeystoneSaysNothing() throws IOException, InterruptedException {
        String token = "silent-" + UUID.randomUUID();
        for (int attempt = 0; !standIn("/asked/" + token).equals("2"); attempt++) {
            assertThat(attempt).as("attempts until it was asked twice: no failure is remembered").isLessThan(ATTEMPTS_MAX);
            // In between a good answer, for the breaker to stay closed.
            believed();
            var answer = get(token);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .isEqualTo("The identity service (Keystone) does not answer; the token could not be checked.");
        }
    }

    @Test
    void goesOnAskingAKeystoneThatIsSlow() throws IOException, InterruptedException {
        believed();
        List<CompletableFuture<HttpResponse<String>>> late = IntStream.range(0, 60)
                .mapToObj(i -> client.sendAsync(asking("silent-" + UUID.randomUUID()), HttpResponse.BodyHandlers.ofString()))
                .toList();
        assertThat(late).allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(503));
        String token = "good-" + UUID.randomUUID();
        get(token);
        assertThat(standIn("/asked/" + token)).isEqualTo("1");
    }
}
