package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Many clients at once that each stay within every limit, or leave: the service lives in the heap that is shipped, and
 * a client that does nothing unusual is served throughout.
 */
class CrowdsIT {
    private static final int BODIES = 40;
    private static final int BODY_BYTES = 15_900_000;
    private static final int READERS = 60;
    private static final int PROVIDERS = 15_000;
    private static final long READ_EVERY_MS = 50;
    private static final int CONNECTIONS_OF_OTHERS = 10;
    private static final int PIPELINES = 1_000;
    private static final int REQUESTS_IN_A_PIPELINE = 100;
    private static final byte[] SPACES = " ".repeat(64 * 1024).getBytes(StandardCharsets.US_ASCII);

    private final Cloud cloud = Cloud.shared();

    @Test
    void placementReadsFortyBodiesAtTheLimit() throws Exception {
        try (var service = ServiceProcess.start(Path.of("..", "..", "placement-service"), environment())) {
            bodies(service, "POST /reshaper", "/resource_providers?name=nobody");
            bodies(service, "PUT /resource_providers/" + UUID.randomUUID(), "/resource_providers?name=nobody");
        }
    }

    @Test
    void schedulerReadsFortyBodiesAtTheLimit() throws Exception {
        try (var service = ServiceProcess.start(Path.of("..", "..", "scheduler-service"), environment())) {
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
        ConcurrentMap<String, Integer> answers = new ConcurrentHashMap<>();
        var bystander = new Bystander(new Api(service.url()), usual);
        try (bystander; var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            bystander.awaitServed(5);
            List<Future<String>> all = new ArrayList<>();
            for (int i = 0; i < BODIES; i++) {
                Callable<String> one = () -> body(service.url(), route);
                all.add(threads.submit(one));
            }
            for (Future<String> each : all) {
                answers.merge(each.get(), 1, Integer::sum);
            }
            bystander.awaitServed(5);
        }
        System.out.printf("%d bodies of %d bytes to %s: %s; %s%n", BODIES, BODY_BYTES, route, answers, bystander);
        assertThat(service.process().isAlive()).as("the process lives").isTrue();
        assertThat(service.errors()).isEmpty();
        assertThat(answers.keySet()).as("each is refused in words, or its connection is closed")
                .allMatch(line -> line.isEmpty() || line.matches("HTTP/1.1 (400|404|413|503) .*"));
        bystander.checkAlwaysServed();
    }

    /** The response's first line, empty for none. */
    private static String body(String url, String route) throws IOException {
        try (Client client = Client.of(url)) {
            try {
                client.send(Client.head(route) + "content-length: " + BODY_BYTES + "\r\n\r\n");
                for (int sent = 0; sent < BODY_BYTES; sent += SPACES.length) {
                    client.out().write(SPACES, 0, Math.min(SPACES.length, BODY_BYTES - sent));
                }
            } catch (IOException refusedWhileSending) {
                // What was said is there to be read all the same, mostly.
            }
            return client.firstLine();
        } catch (IOException closed) {
            return "";
        }
    }

    @Test
    void sixtyReadALargeResponseSlowly() throws Exception {
        String database = cloud.postgres().newDatabase();
        var environment = Map.of("BERTH_DATABASE_URL", database);
        ServiceProcess.start(Path.of("..", "..", "placement-service"), environment).close();
        try (Connection connection = Postgres.connect(database); var statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO resource_providers (id, uuid, name, root_id)
                    SELECT i, gen_random_uuid(), 'crowd-' || i, i FROM generate_series(1, %d) AS i"""
                    .formatted(PROVIDERS));
        }
        List<Thread> readers = new ArrayList<>();
        var begun = new AtomicInteger();
        var refused = new AtomicInteger();
        try (var service = ServiceProcess.start(Path.of("..", "..", "placement-service"), environment)) {
            var api = new Api(service.url());
            Cloud.await("readiness", api::isReady);
            int bytes = api.get("/resource_providers").body().length();
            assertThat(bytes).as("bytes of the large response").isGreaterThan(9_000_000);
            var bystander = new Bystander(api, "/resource_providers?name=crowd-7");
            try (bystander) {
                bystander.awaitServed(5);
                int files = Footprint.of(service.process()).files();
                for (int i = 0; i < READERS; i++) {
                    readers.add(Thread.ofVirtual().start(() -> read(service.url(), begun, refused)));
                }
                Cloud.await("all have an answer", () -> begun.get() + refused.get() == READERS);
                bystander.awaitServed(100);
                // What the kernel has taken over still reaches them, slowly; the service has let go of it.
                Cloud.await("the connections of those who do not take their response are closed",
                        () -> Footprint.of(service.process()).files() <= files + CONNECTIONS_OF_OTHERS);
                bystander.awaitServed(5);
            }
            System.out.printf("%d slow readers of %d bytes: %d refused, %d closed; %s%n",
                    READERS, bytes, refused.get(), begun.get(), bystander);
            assertThat(service.process().isAlive()).as("the process lives").isTrue();
            assertThat(service.errors()).isEmpty();
            bystander.checkAlwaysServed();
        } finally {
            readers.forEach(Thread::interrupt);
        }
    }

    /** Reads the first line, and then a byte now and then: far slower than any link. */
    private static void read(String url, AtomicInteger begun, AtomicInteger refused) {
        try (Client client = Client.slow(url)) {
            client.send(Client.head("GET /resource_providers") + "\r\n");
            if (!client.firstLine().startsWith("HTTP/1.1 200 ")) {
                refused.incrementAndGet();
                return;
            }
            begun.incrementAndGet();
            while (client.readByte()) {
                Thread.sleep(READ_EVERY_MS);
            }
        } catch (IOException closed) {
            // As it should be.
        } catch (InterruptedException theTestIsOver) {
            // Nothing more to read.
        }
    }

    @Test
    void aThousandLeaveWithPipelinesFullOfRequests() throws Exception {
        try (var service = ServiceProcess.start(Path.of("..", "..", "placement-service"), environment())) {
            var api = new Api(service.url());
            Cloud.await("readiness", api::isReady);
            Cloud.hosts(cloud.placement(0), 200);
            var bystander = new Bystander(api, "/resource_providers?name=nobody");
            try (bystander) {
                bystander.awaitServed(5);
                leaveTogether(service.url(), (Client.head("GET /allocation_candidates?resources=VCPU:1") + "\r\n")
                        .repeat(REQUESTS_IN_A_PIPELINE));
                Cloud.await("nobody's requests are under way but the bystander's", () -> active(api) <= 2);
                bystander.awaitServed(20);
            }
            System.out.printf("%d pipelines of %d requests left behind: %s%n",
                    PIPELINES, REQUESTS_IN_A_PIPELINE, bystander);
            assertThat(service.errors()).isEmpty();
            bystander.checkAlwaysServed();
            service.process().destroy();
            assertThat(service.process().waitFor(Cloud.PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("SIGTERM ends it").isTrue();
            assertThat(service.process().exitValue()).as("exit code of SIGTERM, not of SIGKILL").isEqualTo(143);
        }
    }

    /** All have sent everything, and read nothing, when the first closes its connection. */
    private static void leaveTogether(String url, String pipeline) throws IOException {
        List<Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < PIPELINES; i++) {
                clients.add(Client.of(url));
            }
            for (Client client : clients) {
                try {
                    client.send(pipeline);
                } catch (IOException closedAlready) {
                    // As good as leaving.
                }
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    /** As the service's metrics say, the question for them among it. */
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
