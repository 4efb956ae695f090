package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a thousand clients that send one byte of a header or body at a time, beside ordinary clients. */
@Tag("long")
class SlowClientsIT {
    private static final int CLIENTS = 1_000;
    private static final int BYTE_EVERY_MS = 250;
    private static final Duration BODY_MAX = Duration.ofSeconds(Cloud.LONG ? 30 : 6);

    private final Cloud cloud = Cloud.shared();

    /** The number of clients that are connected, and of those that the service disconnected. */
    private record Crowd(AtomicInteger open, AtomicInteger closedByService) {
        void join(String url, String atOnce, String slowly, List<Thread> threads) {
            threads.add(Thread.ofVirtual().start(() -> {
                URI service = URI.create(url);
                try (var socket = new Socket()) {
                    socket.connect(
                            new InetSocketAddress(service.getHost(), service.getPort()),
                            (int) Await.WAIT_MAX.toMillis());
                    open.incrementAndGet();
                    socket.getOutputStream().write(atOnce.getBytes(StandardCharsets.US_ASCII));
                    for (byte each : slowly.getBytes(StandardCharsets.US_ASCII)) {
                        Thread.sleep(BYTE_EVERY_MS);
                        socket.getOutputStream().write(each);
                    }
                } catch (IOException closed) {
                    closedByService.incrementAndGet();
                } catch (InterruptedException end) {
                    // The test is over.
                }
            }));
        }
    }

    @Test
    void disconnectsSlowClientsWhileOtherClientsAreServed() throws Exception {
        var environment = Map.of(
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.wire().port()),
                "BERTH_BODY_TIME_MAX", BODY_MAX.toString());
        List<Thread> threads = new ArrayList<>();
        try (var service = ServiceProcess.start(Packaged.PLACEMENT, environment)) {
            var api = new Api(service.url());
            Await.eventually("readiness", api::isReady);
            var headers = new Crowd(new AtomicInteger(), new AtomicInteger());
            var bodies = new Crowd(new AtomicInteger(), new AtomicInteger());
            var load = new ClaimLoad(List.of(api), Cloud.hosts(api, 8), 8, cloud.seed());
            load.awaitAcknowledged(50);
            Footprint before = Footprint.of(service.process());
            try (load) {
                for (int i = 0; i < CLIENTS / 2; i++) {
                    headers.join(service.url(), "GET /", "resource_providers?name=" + "x".repeat(4_000), threads);
                    bodies.join(service.url(), """
                            POST /resource_providers HTTP/1.1\r
                            host: berth\r
                            x-auth-token: admin\r
                            content-type: application/json\r
                            content-length: 4000\r
                            \r
                            """, "{\"name\": \"" + "x".repeat(3_980) + "\"}", threads);
                }
                Await.eventually("all slow clients are connected",
                        () -> headers.open().get() + bodies.open().get() == CLIENTS);
                load.awaitAcknowledged(200);
                Cloud.expect(200, api.get("/resource_providers"));
                Await.eventually("all slow clients are disconnected",
                        () -> headers.closedByService().get() + bodies.closedByService().get() == CLIENTS);
                assertThat(Footprint.of(service.process()).threads())
                        .as("threads do not grow with clients").isLessThan(before.threads() + 12);
                threads.forEach(Thread::interrupt);
            }
            System.out.println("slow clients: " + load);
            assertThat(load.count(503) + load.count(Api.NO_RESPONSE)).as("failed claims of ordinary clients").isZero();
            Footprint.checkAgainst(before, service.process());
            try (var database = cloud.postgres().connect()) {
                load.books.check(database);
            }
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }
}
