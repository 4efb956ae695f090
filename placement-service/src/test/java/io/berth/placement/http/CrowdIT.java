package io.berth.placement.http;

import static io.berth.deploy.process.Await.eventually;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import io.berth.model.DatabaseUrl;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs many clients that send or request as much as they may, beside one ordinary client, against a service with 256
 * MB.
 */
@Tag("process")
@Tag("long")
class CrowdIT {
    private static final String HEADERS = " HTTP/1.1\r\nHost: berth\r\nx-auth-token: admin\r\n"
            + "openstack-api-version: placement 1.39\r\ncontent-type: application/json\r\n";
    private static final int BODIES = 40;
    private static final int BODY_BYTES = 16 * 1024 * 1024;
    private static final int SLOW_READERS = 120;
    private static final int PROVIDERS = 60_000;
    private static final UUID HOST = UUID.randomUUID();
    private static final UUID SHARED_STORAGE = UUID.randomUUID();
    private static final int CONSUMERS = 150_000;
    /** Number of amounts that one claim may name. */
    private static final int HELD_BY_ONE = 50_000;
    private static final UUID HOLDER = UUID.randomUUID();
    private static final String OWNER = "p".repeat(255);
    private static final UUID LARGE_TREE = UUID.randomUUID();
    private static final int CHILDREN = 6_000;
    private static final int GROUPS = 20;
    private static final String SEARCH_OF_TREE =
            "/berth/v1/candidates?limit=1" + groups(GROUPS, "&in_tree_%1$d=" + LARGE_TREE);
    private static final int SEARCHES = 900;
    private static final int AUDITS = 20;
    private static final String AUDIT = "GET /berth/v1/audit" + HEADERS + "\r\n";
    private static final int ATTEMPTS_MAX = 5;
    /** Receive buffer of a client that does not read. */
    private static final int RECEIVE_BYTES = 4_096;

    private static String crowd;
    private static ServiceProcess service;

    /**
     * Creates a database whose providers fill a response of 55 MB, and the consumers of one of them a response of 14
     * MB.
     */
    @BeforeAll
    static void start() {
        crowd = PostgresForTests.newDatabase();
        // Many requests wait for longer than that; it must not close their connections.
        var environment = Map.of("BERTH_DATABASE_URL", crowd, "QUARKUS_HTTP_IDLE_TIMEOUT", "5S");
        ServiceProcess.start(Path.of(""), environment).close();
        PostgresForTests.run(crowd, """
                INSERT INTO placement.resource_providers (id, uuid, name, generation, root_id)
                SELECT 1000000 + i, gen_random_uuid(), 'one-of-a-crowd-with-a-long-name-' || i, 0, 1000000 + i
                  FROM generate_series(1, %d) i""".formatted(PROVIDERS));
        PostgresForTests.run(crowd, """
                INSERT INTO placement.inventories
                       (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
                SELECT p.id, c.id, 1000, 0, 1, 1000, 1, 1
                  FROM placement.resource_providers p, placement.resource_classes c
                 WHERE c.name IN ('VCPU', 'MEMORY_MB', 'DISK_GB')""");
        PostgresForTests.run(crowd, """
                INSERT INTO placement.resource_providers (id, uuid, name, generation, root_id)
                VALUES (999998, '%1$s', 'host', 0, 999998), (999999, '%2$s', 'shared-storage', 7, 999999);
                INSERT INTO placement.consumers (uuid, generation, project_id, user_id)
                SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, i %% 6, 'p', 'u'
                  FROM generate_series(1, %3$d) i;
                INSERT INTO placement.allocations (consumer_uuid, provider_id, resource_class_id, used)
                SELECT c.uuid, 999999, r.id, c.generation + 1
                  FROM placement.consumers c
                  JOIN placement.resource_classes r ON r.name = 'DISK_GB' OR r.name = 'VCPU' AND c.generation = 0
                """.formatted(HOST, SHARED_STORAGE, CONSUMERS));
        PostgresForTests.run(crowd, """
                INSERT INTO placement.consumers (uuid, generation, project_id, user_id, consumer_type)
                VALUES ('%1$s', 3, '%2$s', '%2$s', 'INSTANCE');
                INSERT INTO placement.allocations (consumer_uuid, provider_id, resource_class_id, used)
                SELECT '%1$s', p.id, r.id, p.id - 1000000
                  FROM placement.resource_providers p JOIN placement.resource_classes r ON r.name = 'DISK_GB'
                 WHERE p.id BETWEEN 1000001 AND 1000000 + %3$d
                """.formatted(HOLDER, OWNER, HELD_BY_ONE));
        PostgresForTests.run(crowd, """
                INSERT INTO placement.resource_providers (id, uuid, name, generation, root_id)
                VALUES (900000, '%1$s', 'large-tree', 0, 900000);
                INSERT INTO placement.resource_providers (id, uuid, name, generation, parent_id, root_id)
                SELECT 900000 + i, gen_random_uuid(), 'child-' || i, 0, 900000, 900000 FROM generate_series(1, %2$d) i;
                INSERT INTO placement.inventories
                       (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
                SELECT p.id, c.id, 1000, 0, 1, 1000, 1, 1
                  FROM placement.resource_providers p
                  JOIN placement.resource_classes c ON c.name = CASE WHEN p.id = 900001 THEN 'MEMORY_MB' ELSE 'VCPU' END
                 WHERE p.parent_id = 900000
                """.formatted(LARGE_TREE, CHILDREN));
        // Autovacuum does this within a minute on a real database; plans depend on the statistics.
        PostgresForTests.run(crowd, "ANALYZE");
        service = ServiceProcess.start(Path.of(""), environment);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void readsSomeLargeBodiesAndRefusesTheOthersWith503() throws Exception {
        String blanks = " ".repeat(BODY_BYTES);
        try (var clients = Executors.newFixedThreadPool(BODIES)) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < BODIES; i++) {
                answers.add(clients.submit(() -> {
                    try (var client = RawConnection.to(service.url())) {
                        client.send("POST /allocations" + HEADERS + "Content-Length: " + BODY_BYTES + "\r\n\r\n")
                                .send(blanks);
                        var answer = client.readResponse();
                        return answer == null ? 503 : answer.status();
                    }
                }));
            }
            assertThatAnotherIsServed(answers);
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : answers) {
                statuses.add(answer.get());
            }
            assertThat(statuses).contains(400, 503).containsOnly(400, 503);
        }
        assertThat(service.process().isAlive()).isTrue();
        assertThat(service.errors()).isEmpty();
    }

    @Test
    void disconnectsClientsThatDoNotReadLargeResponses() throws Exception {
        assertThat(requestByMany("/resource_providers").body())
                .contains("one-of-a-crowd-with-a-long-name-" + PROVIDERS);
    }

    @Test
    void limitsFleetResponsesThatClientsDoNotRead() throws Exception {
        String request = "GET /berth/v1/fleet" + HEADERS + "\r\n";
        List<RawConnection> readers = new ArrayList<>();
        boolean isRefused = false;
        try {
            while (!isRefused && readers.size() < SLOW_READERS) {
                readers.add(RawConnection.to(service.url(), RECEIVE_BYTES).send(request));
                eventually("a response arrives", readers.getLast()::hasInput);
                isRefused = status(request) == 503;
            }
        } finally {
            readers.forEach(RawConnection::close);
        }
        assertThat(isRefused).isTrue();
        eventually("the next client gets a response", () -> status(request) == 200);
    }

    @Test
    void returnsAllConsumersOfAProviderToAClientThatReads() throws Exception {
        var whole = requestByMany(allocationsOf(SHARED_STORAGE));
        var expected = new StringBuilder("{\"allocations\":{");
        for (int i = 1; i <= CONSUMERS; i++) {
            int generation = i % 6;
            expected.append(i == 1 ? "" : ",").append("\"00000000-0000-4000-8000-%012x\":{\"resources\":{".formatted(i))
                    .append(generation == 0 ? "\"VCPU\":1," : "")
                    .append("\"DISK_GB\":").append(generation + 1)
                    .append("},\"consumer_generation\":").append(generation).append('}');
        }
        // Compares to a boolean, because a failure would otherwise print 14 MB.
        assertThat(whole.body().contentEquals(expected.append("},\"resource_provider_generation\":7}"))).isTrue();
        assertThat(whole.headers()).containsKey("last-modified");
    }

    @Test
    void returnsAllAllocationsOfAConsumerToAClientThatReads() throws Exception {
        String whole = requestByMany("/allocations/" + HOLDER).body();
        var allocations = Json.parse(whole.getBytes(StandardCharsets.UTF_8)).get("allocations");
        assertThat(allocations).hasSize(HELD_BY_ONE);
        int ordinal = 0;
        for (var allocation : allocations) {
            assertThat(allocation.get("resources").get("DISK_GB").intValue()).isEqualTo(++ordinal);
        }
        assertThat(whole).endsWith("},\"project_id\":\"%1$s\",\"user_id\":\"%1$s\",".formatted(OWNER)
                + "\"consumer_generation\":3,\"consumer_type\":\"INSTANCE\"}");
    }

    @Test
    void returnsALargeSearchDespiteClientsThatDoNotRead() throws Exception {
        String whole = requestByMany("/allocation_candidates?resources=VCPU:1,MEMORY_MB:1,DISK_GB:1&limit=20000")
                .body();
        assertThat(whole.split("\"allocations\"", -1)).hasSize(20_001);
        assertThat(whole.endsWith("}}}")).isTrue();
    }

    /** Each search begins with the choices of all groups among all providers of a tree. */
    @Test
    void queuesManySearchesOfALargeTree() throws Exception {
        assertThat(searchByMany(SEARCH_OF_TREE, SEARCHES)).hasSize(SEARCHES).containsOnly(200);
    }

    @Test
    void queuesSomeLongQueriesAndRefusesTheOthersWith503() throws Exception {
        String aggregates = Stream.generate(UUID::randomUUID).limit(1_500).map(UUID::toString).collect(joining(","));
        assertThat(searchByMany(SEARCH_OF_TREE + "&resources=VCPU:1&member_of=!in:" + aggregates, SEARCHES))
                .contains(200, 503).isSubsetOf(200, 503);
    }

    /** Any provider of the tree may serve each group, so that the choices would take 72 MB. */
    @Test
    void refusesSearchesWithTooManyChoices() throws Exception {
        assertThat(searchByMany(
                "/allocation_candidates?limit=1&resources=MEMORY_MB:1&in_tree=" + LARGE_TREE + groups(3_000, ""), 8))
                .contains(400).isSubsetOf(400, 503);
    }

    /** The parsed form of each query takes two megabytes or more. All requests that fit in the queue must succeed. */
    @Test
    void queuesManyLongExplanationQueries() throws Exception {
        String brief = "/berth/v1/allocation_candidates/explanation?timeout_s=1&relaxations=0";
        assertThat(searchByMany(brief + groups(2_500, ""), AnalysisWorkers.WAITING_MAX))
                .as(() -> "refusals: " + refusals)
                .containsOnly(200);
    }

    /** @param more further parameters of each group, with its number in place of %1$d */
    private static String groups(int count, String more) {
        return IntStream.range(0, count).mapToObj(("&resources_%1$d=VCPU:1" + more)::formatted)
                .collect(joining("", "&group_policy=none", ""));
    }

    /** The bodies of the responses with 503, which a failure prints. */
    private final Set<String> refusals = new HashSet<>();

    /** Returns the statuses of many requests, while searches that run until they are given up occupy all threads. */
    private List<Integer> searchByMany(String path, int times) throws Exception {
        String suffixes = IntStream.range(0, GROUPS).mapToObj("_%d,"::formatted).collect(joining());
        String endless = SEARCH_OF_TREE + "&resources_X=MEMORY_MB:1&same_subtree=" + suffixes + "_X";
        List<RawConnection> searching = new ArrayList<>();
        List<RawConnection> asking = new ArrayList<>();
        List<Integer> statuses = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                searching.add(RawConnection.to(service.url()).send("GET " + endless + HEADERS + "\r\n"));
            }
            for (int i = 0; i < times; i++) {
                asking.add(RawConnection.to(service.url()).send("GET " + path + HEADERS + "\r\n"));
            }
            for (RawConnection client : asking) {
                var answer = client.readResponse();
                int status = answer == null ? 503 : answer.status();
                statuses.add(status);
                if (status == 503) {
                    refusals.add(answer == null ? "closed" : answer.body());
                }
            }
            for (RawConnection client : searching) {
                assertThat(client.readResponse().status()).isEqualTo(400);
            }
        } finally {
            searching.forEach(RawConnection::close);
            asking.forEach(RawConnection::close);
        }
        assertThat(service.process().isAlive()).isTrue();
        assertThat(service.errors()).isEmpty();
        return statuses;
    }

    /**
     * Sends a request from many clients: some disconnect at once, many do not read, and the last one reads. Returns its
     * response.
     */
    private static RawConnection.Response requestByMany(String path) throws Exception {
        String request = "GET " + path + HEADERS + "\r\n";
        RawConnection.Response whole = null;
        List<RawConnection> readers = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW_READERS; i++) {
                readers.add(RawConnection.to(service.url(), RECEIVE_BYTES).send(request));
                if (i % 10 == 0) {
                    RawConnection.to(service.url()).send(request).close();
                }
            }
            while (!readers.stream().allMatch(RawConnection::hasInput)) {
                assertThat(createOne()).isEqualTo(200);
                assertThat(status("GET " + allocationsOf(HOST) + HEADERS + "\r\n")).isEqualTo(200);
            }
            // A client that reads gets the whole response, once those that do not read are disconnected.
            while (whole == null || whole.status() == 503) {
                try (var client = RawConnection.to(service.url())) {
                    whole = client.send(request).readResponse();
                }
            }
            assertThat(whole.status()).isEqualTo(200);
        } finally {
            readers.forEach(RawConnection::close);
        }
        assertThat(service.process().isAlive()).isTrue();
        assertThat(service.errors()).isEmpty();
        return whole;
    }

    @Test
    void respondsToConcurrentAuditsWith200Or409() throws Exception {
        try (var clients = Executors.newFixedThreadPool(AUDITS)) {
            List<Future<Integer>> answers = audits(clients, AUDITS);
            assertThatAnotherIsServed(answers);
            assertThat(statuses(answers)).contains(200).containsOnly(200, 409);
        }
        assertThat(service.process().isAlive()).isTrue();
        assertThat(service.errors()).isEmpty();
    }

    /** A lock blocks the first audit until its lock timeout; a machine that is slower than that tries again. */
    @Test
    void refusesAnAuditWhileAnotherRuns() throws Exception {
        List<Integer> beside = List.of();
        boolean isBeside = false;
        for (int attempt = 0; attempt < ATTEMPTS_MAX && !isBeside; attempt++) {
            try (var clients = Executors.newFixedThreadPool(AUDITS); var first = RawConnection.to(service.url())) {
                DatabaseUrl database = DatabaseUrl.parse(crowd);
                try (var other = DriverManager.getConnection(
                        database.jdbcUrl("placement"), database.user(), database.password())) {
                    other.setAutoCommit(false);
                    other.createStatement().execute("LOCK TABLE consumers IN ACCESS EXCLUSIVE MODE");
                    first.send(AUDIT);
                    eventually("the audit waits for the lock",
                            () -> PostgresForTests.countWaitingForLock(crowd, "consumers") > 0);
                    beside = statuses(audits(clients, AUDITS - 1));
                    isBeside = !first.hasInput();
                }
                int status = first.readResponse().status();
                if (isBeside) {
                    assertThat(status).isEqualTo(200);
                }
            }
        }
        assertThat(beside).hasSize(AUDITS - 1).containsOnly(409);
    }

    private static List<Future<Integer>> audits(ExecutorService clients, int count) {
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(clients.submit(() -> {
                try (var client = RawConnection.to(service.url())) {
                    var answer = client.send(AUDIT).readResponse();
                    return answer == null ? 0 : answer.status();
                }
            }));
        }
        return answers;
    }

    private static List<Integer> statuses(List<Future<Integer>> answers) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (Future<Integer> answer : answers) {
            statuses.add(answer.get());
        }
        return statuses;
    }

    private static void assertThatAnotherIsServed(List<? extends Future<?>> meanwhile) {
        do {
            assertThat(createOne()).isEqualTo(200);
        } while (!meanwhile.stream().allMatch(Future::isDone));
    }

    private static String allocationsOf(UUID provider) {
        return "/resource_providers/" + provider + "/allocations";
    }

    private static int createOne() {
        String body = "{\"name\": \"%s\"}".formatted(UUID.randomUUID());
        return status("POST /resource_providers" + HEADERS + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Returns the status of an ordinary request on its own connection. */
    private static int status(String request) {
        try (var client = RawConnection.to(service.url())) {
            return client.send(request).readResponse().status();
        }
    }
}
