package io.berth.identity.keystone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.api.CircuitBreakerState;
import jakarta.inject.Inject;
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

/** Tests the timeout of calls to Keystone, with a value that a test can wait for. */
@QuarkusTest
@QuarkusTestResource(
        value = StandInKeystone.class,
        restrictToAnnotatedClass = true,
        initArgs = @ResourceArg(name = "berth.auth.keystone.timeout", value = "2S"))
class KeystoneLimitsIT {
    private static final int ATTEMPTS_MAX = 300;

    private final HttpClient client = HttpClient.newHttpClient();

    @TestHTTPResource("/whoami")
    URI whoami;

    @Inject
    CircuitBreakerMaintenance breakers;

    @ConfigProperty(name = "stand-in.url")
    String standIn;

    private HttpResponse<String> get(String token) throws IOException, InterruptedException {
        return client.send(request(token), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String token) {
        return HttpRequest.newBuilder(whoami).header("x-auth-token", token).build();
    }

    private String standIn(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(standIn + path)).build(),
                HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void returns503IfKeystoneDoesNotRespond() throws IOException, InterruptedException {
        String token = "silent-" + UUID.randomUUID();
        for (int attempt = 0; !standIn("/asked/" + token).equals("2"); attempt++) {
            assertThat(attempt).as("attempts until two validations: failures are not cached")
                    .isLessThan(ATTEMPTS_MAX);
            var answer = get(token);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .isEqualTo("The identity service (Keystone) does not answer; the token could not be checked.");
        }
    }

    @Test
    void keepsTheBreakerClosedForASlowKeystone() throws IOException, InterruptedException {
        List<CompletableFuture<HttpResponse<String>>> late = IntStream.range(0, 60)
                .mapToObj(i -> client.sendAsync(request("silent-" + UUID.randomUUID()),
                        HttpResponse.BodyHandlers.ofString()))
                .toList();
        assertThat(late).allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(503));
        assertThat(breakers.currentState(KeystoneClient.BREAKER)).isEqualTo(CircuitBreakerState.CLOSED);
    }
}
