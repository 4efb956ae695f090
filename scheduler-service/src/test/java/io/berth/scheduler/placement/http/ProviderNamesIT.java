package io.berth.scheduler.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.identity.outgoing.Credentials;
import io.berth.scheduler.heap.FleetHeap;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersResult;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests ProviderNames against an HTTP server that responds when the test does. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ProviderNamesIT {
    private static final String ONE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String TWO = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<HttpServerRequest> requests = new LinkedBlockingQueue<>();
    private PlacementHttp http;
    private ProviderNames names;

    @BeforeEach
    void start() {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(requests::add)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        http = new PlacementHttp(vertx, new PlacementConfig(
                "http://127.0.0.1:" + server.actualPort(), "admin",
                Duration.ofMinutes(5), Duration.ofMinutes(5), 4, 100), Credentials.token("admin"), Optional.empty());
        names = new ProviderNames(new HttpPlacementClient(http, new CandidatesExchange(http, new FleetHeap(1L << 30))));
    }

    @AfterEach
    void stop() {
        http.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private CompletableFuture<ProvidersResult> list(String... uuids) {
        return names.listWith(Set.of(uuids), "req-1").subscribeAsCompletionStage();
    }

    /** Responds to the next request with these providers. */
    private void respondWith(String... uuids) throws InterruptedException {
        HttpServerRequest request = requests.poll(5, TimeUnit.MINUTES);
        assertThat(request).as("a request for providers").isNotNull();
        StringBuilder body = new StringBuilder("{\"resource_providers\":[");
        for (String uuid : uuids) {
            body.append(body.charAt(body.length() - 1) == '[' ? "" : ",")
                    .append("{\"uuid\":\"%s\",\"name\":\"host-%s\"}".formatted(uuid, uuid.charAt(0)));
        }
        request.response().end(body.append("]}").toString());
    }

    private static Map<String, String> names(CompletableFuture<ProvidersResult> answer) throws Exception {
        return ((ProvidersResult.Listed) answer.get(5, TimeUnit.MINUTES)).namesByUuid();
    }

    @Test
    void concurrentRequestsShareOneRead() throws Exception {
        CompletableFuture<ProvidersResult> one = list(ONE);
        CompletableFuture<ProvidersResult> two = list(TWO);
        CompletableFuture<ProvidersResult> both = list(ONE, TWO);
        respondWith(ONE, TWO);
        assertThat(names(one)).isEqualTo(Map.of(ONE, "host-a", TWO, "host-b"));
        assertThat(names(two)).isEqualTo(names(one));
        assertThat(names(both)).isEqualTo(names(one));
        assertThat(names(list(ONE, TWO))).isEqualTo(names(one));
        assertThat(requests).isEmpty();
    }

    @Test
    void readsAgainIfTheReadBeganTooEarlyForAProvider() throws Exception {
        CompletableFuture<ProvidersResult> one = list(ONE);
        CompletableFuture<ProvidersResult> later = list(TWO);
        respondWith(ONE);
        assertThat(names(one)).isEqualTo(Map.of(ONE, "host-a"));
        respondWith(ONE, TWO);
        assertThat(names(later)).containsEntry(TWO, "host-b");
        assertThat(requests).isEmpty();
    }

    @Test
    void theNextRequestRetriesAFailedRead() throws Exception {
        CompletableFuture<ProvidersResult> lost = list(ONE);
        requests.poll(5, TimeUnit.MINUTES).response().setStatusCode(403).end();
        assertThat(lost.get(5, TimeUnit.MINUTES)).isInstanceOf(ProvidersResult.Unreachable.class);
        CompletableFuture<ProvidersResult> again = list(ONE);
        respondWith(ONE);
        assertThat(names(again)).isEqualTo(Map.of(ONE, "host-a"));
    }
}
