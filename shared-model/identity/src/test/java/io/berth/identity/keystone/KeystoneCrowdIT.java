package io.berth.identity.keystone;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.identity.TimeForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** Tests many made-up tokens, which use all connections to Keystone that they may use. */
@QuarkusTest
@QuarkusTestResource(
        value = StandInKeystone.class,
        restrictToAnnotatedClass = true,
        initArgs = {
            @ResourceArg(name = "berth.auth.keystone.cache-time", value = "1S"),
            @ResourceArg(name = "berth.auth.keystone.connections", value = "2"),
            @ResourceArg(name = "berth.auth.keystone.queue", value = "3")
        })
class KeystoneCrowdIT {
    private static final int CONNECTIONS = 2;
    private static final int ADMITTED = CONNECTIONS + 3;
    private static final int CROWD = 12;

    private final HttpClient client = HttpClient.newHttpClient();

    @TestHTTPResource("/whoami")
    URI whoami;

    @Inject
    TimeForTests time;

    @ConfigProperty(name = "stand-in.url")
    String standIn;

    private HttpRequest request(String token) {
        return HttpRequest.newBuilder(whoami).header("x-auth-token", token).build();
    }

    private int status(String token) throws IOException, InterruptedException {
        return client.send(request(token), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Returns the status after the cached result of the token has expired. */
    private int statusAfterExpiry(String token) throws IOException, InterruptedException {
        time.pass(Duration.ofSeconds(1));
        return status(token);
    }

    private String standIn(String path) {
        return client.sendAsync(HttpRequest.newBuilder(URI.create(standIn + path)).build(),
                HttpResponse.BodyHandlers.ofString())
                .join().body();
    }

    @Test
    void keepsConnectionsForKnownTokensUnderLoad() throws IOException, InterruptedException {
        assertThat(status("good-before")).isEqualTo(200);
        BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
        List<CompletableFuture<Void>> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            if (i == CONNECTIONS) {
                eventually("Keystone holds all connections", () -> standIn("/held").equals("" + CONNECTIONS));
            }
            crowd.add(client.sendAsync(request("held-" + i), HttpResponse.BodyHandlers.discarding())
                    .thenAccept(answer -> statuses.add(answer.statusCode())));
        }
        for (int refused = 0; refused < CROWD - ADMITTED; refused++) {
            assertThat(statuses.take()).isEqualTo(503);
        }
        assertThat(status("good-unknown")).isEqualTo(503);
        assertThat(statusAfterExpiry("good-before")).isEqualTo(200);

        // The service's own login does not wait behind them either.
        standIn("/revoke-service");
        assertThat(statusAfterExpiry("good-before")).isEqualTo(200);
        eventually("all requests are answered", () -> {
            standIn("/release");
            return crowd.stream().allMatch(CompletableFuture::isDone);
        });
        assertThat(statuses).hasSize(ADMITTED).containsOnly(200);
    }
}
