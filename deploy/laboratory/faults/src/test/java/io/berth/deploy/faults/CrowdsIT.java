package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests many simultaneous clients that each stay within every limit, or disconnect. The service must survive with its
 * shipped heap size and always serve a normal client.
 */
@Tag("long")
class CrowdsIT {
    private static final int BODIES = 40;
    /** Just below the limit of 16 MB. */
    private static final int BODY_PIECES = 255;
    private static final int PIPELINES = 1_000;
    private static final int REQUESTS_IN_A_PIPELINE = 100;
    private static final String SPACES = " ".repeat(64 * 1024);

    private final Cloud cloud = Cloud.shared();

    @Test
    void placementReadsFortyBodiesAtTheLimit() throws Exception {
        try (var service = ServiceProcess.start(Packaged.PLACEMENT, environment())) {
            bodies(service, "POST /reshaper", "/resource_providers?name=nobody");
            bodies(service, "PUT /resource_providers/" + UUID.randomUUID(), "/resource_providers?name=nobody");
        }
    }

    @Test
    void schedulerReadsFortyBodiesAtTheLimit() throws Exception {
        try (var service = ServiceProcess.start(Packaged.SCHEDULER, environment())) {
            bodies(service, "POST /v1/simulations", "/v1/cells");
            bodies(service, "POST /v1/select_destinations", "/v1/cells");
        }
    }

    private Map<String, String> environment() {
        return Map.of(
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()),
                "BERTH_PLACEMENT_URL", cloud.url(0));
    }

    private static void bodies(ServiceProcess service, String route, String usual) throws Exception {
        ConcurrentMap<Integer, Integer> statuses = new ConcurrentHashMap<>();
        var bystander = new Bystander(new Api(service.url()), usual);
        try (bystander; var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            bystander.awaitServed(5);
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < BODIES; i++) {
                Callable<Integer> one = () -> body(service.url(), route);
                all.add(threads.submit(one));
            }
            for (Future<Integer> each : all) {
                statuses.merge(each.get(), 1, Integer::sum);
            }
            bystander.awaitServed(5);
        }
        System.out.printf("%d bodies of %d bytes to %s: %s; %s%n",
                BODIES, BODY_PIECES * SPACES.length(), route, statuses, bystander);
        assertThat(service.process().isAlive()).as("the process is alive").isTrue();
        assertThat(service.errors()).isEmpty();
        assertThat(statuses.keySet()).as("each body is refused, or its connection is closed")
                .isSubsetOf(0, 400, 413, 503)
                .as("some bodies are read").containsAnyOf(400, 413);
        bystander.checkAlwaysServed();
    }

    /** Returns the status of the response, or 0 if the connection was closed without one. */
    private static int body(String url, String route) {
        try (var client = RawConnection.to(url)) {
            client.send(Api.requestHead(route) + "content-length: " + BODY_PIECES * SPACES.length() + "\r\n\r\n");
            for (int i = 0; i < BODY_PIECES; i++) {
                client.send(SPACES);
            }
            RawConnection.Response read = client.readResponse();
            return read == null ? 0 : read.status();
        }
    }

    @Test
    void survivesAThousandClientsThatCloseFullPipelines() throws Exception {
        try (var service = ServiceProcess.start(Packaged.PLACEMENT, environment())) {
            var api = new Api(service.url());
            Await.eventually("readiness", api::isReady);
            Cloud.hosts(cloud.placement(0), 200);
            var bystander = new Bystander(api, "/resource_providers?name=nobody");
            try (bystander) {
                bystander.awaitServed(5);
                leaveTogether(service.url(), (Api.requestHead("GET /allocation_candidates?resources=VCPU:1") + "\r\n")
                        .repeat(REQUESTS_IN_A_PIPELINE), bystander);
                Await.eventually("only the bystander's requests are in progress", () -> active(api) <= 2);
                bystander.awaitServed(20);
            }
            System.out.printf("%d pipelines of %d requests left behind: %s%n",
                    PIPELINES, REQUESTS_IN_A_PIPELINE, bystander);
            assertThat(service.errors()).isEmpty();
            bystander.checkAlwaysServed();
            service.process().destroy();
            assertThat(service.process().waitFor(Await.WAIT_MAX.toSeconds(), TimeUnit.SECONDS))
                    .as("SIGTERM ends it").isTrue();
            assertThat(service.process().exitValue()).as("exit code of SIGTERM, not of SIGKILL").isEqualTo(143);
        }
    }

    /**
     * Closes all connections at once. By then all clients have sent everything and read nothing, and another client has
     * received responses.
     */
    private static void leaveTogether(String url, String pipeline, Bystander bystander) {
        List<RawConnection> clients = new ArrayList<>();
        try {
            for (int i = 0; i < PIPELINES; i++) {
                clients.add(RawConnection.to(url));
            }
            clients.forEach(client -> client.send(pipeline));
            bystander.awaitServed(20);
        } finally {
            clients.forEach(RawConnection::close);
        }
    }

    /** Returns the requests in progress from the service's metrics, including the one that reads the metrics. */
    private static double active(Api api) {
        Map<String, Double> sum = new HashMap<>();
        for (String line : api.get("/q/metrics").body().split("\n")) {
            if (line.startsWith("berth_http_requests_active")) {
                sum.merge("active", Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)), Double::sum);
            }
        }
        return sum.getOrDefault("active", Double.MAX_VALUE);
    }
}
