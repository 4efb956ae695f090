package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many who send or take as much as they may, all at once, and one who does not. The service has 256 MB. */
class CrowdIT {
    private static final String HEADERS = " HTTP/1.1\r\nHost: berth\r\nx-auth-token: admin\r\n"
            + "openstack-api-version: placement 1.39\r\ncontent-type: application/json\r\n";
    private static final int BODIES = 40;
    private static final int BODY_BYTES = 16 * 1024 * 1024;
    private static final int SLOW_READERS = 120;
    private static final int PROVIDERS = 60_000;
    /** For the connection of a reader that does not read. */
    private static final int RECEIVE_BYTES = 4_096;

    private static ServiceProcess service;

    /** A database of its own, whose providers fill an answer of 55 MB. */
    @BeforeAll
    static void start() throws SQLException {
        String url = PostgresForTests.url();
        String name = "crowd" + UUID.randomUUID().toString().substring(0, 8);
        String crowd = url.replaceFirst("/[^/?]*(\\?.*)?$", "/" + name + "$1");
        run(url, "CREATE DATABASE " + name);
        var environment = Map.of("BERTH_DATABASE_URL", crowd);
        ServiceProcess.start(Path.of(""), environment).close();
        run(crowd, """
                INSERT INTO placement.resource_providers (id, uuid, name, generation, root_id)
                SELECT 1000000 + i, gen_random_uuid(), 'one-of-a-crowd-with-a-long-name-' || i, 0, 1000000 + i
                  FROM generate_series(1, %d) i""".formatted(PROVIDERS));
        service = ServiceProcess.start(Path.of(""), environment);
    }

    private static void run(String url, String sql) throws SQLException {
        String jdbc = "jdbc:" + url.replaceFirst("//.*@", "//");
        try (Connection database = DriverManager.getConnection(jdbc, "postgres", "")) {
            database.createStatement().execute(sql);
        }
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void ofLargeBodiesSomeAreReadAndTheOthersToldToComeAgain() throws Exception {
        String blanks = " ".repeat(BODY_BYTES);
        try (var clients = Executors.newFixedThreadPool(BODIES)) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < BODIES; i++) {
                answers.add(clients.submit(() -> {
                    try (var client = RawConnection.to(service.url())) {
                        client.send("POST /allocations" + HEADERS + "Content-Length: " + BODY_BYTES + "\r\n\r\n")
                                .send(blanks);
                        var answer = client.answer();
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
    void ofLargeAnswersThatNobodyTakesSomeAreGivenAndTheConnectionsClosed() throws Exception {
        List<RawConnection> readers = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW_READERS; i++) {
                readers.add(RawConnection.to(service.url(), RECEIVE_BYTES)
                        .send("GET /resource_providers" + HEADERS + "\r\n"));
            }
            while (!readers.stream().allMatch(RawConnection::isAnswered)) {
                assertThat(createOne()).isEqualTo(200);
            }
            // Whoever reads gets all of it, once those who do not are sent away.
            RawConnection.Answer whole = null;
            while (whole == null || whole.status() == 503) {
                try (var client = RawConnection.to(service.url())) {
                    whole = client.send("GET /resource_providers" + HEADERS + "\r\n").answer();
                }
            }
            assertThat(whole.status()).isEqualTo(200);
            assertThat(whole.body()).contains("one-of-a-crowd-with-a-long-name-" + PROVIDERS);
        } finally {
            readers.forEach(RawConnection::close);
        }
        assertThat(service.process().isAlive()).isTrue();
        assertThat(service.errors()).isEmpty();
    }

    private static void assertThatAnotherIsServed(List<? extends Future<?>> meanwhile) {
        do {
            assertThat(createOne()).isEqualTo(200);
        } while (!meanwhile.stream().allMatch(Future::isDone));
    }

    /** The status of an ordinary request on a connection of its own. */
    private static int createOne() {
        String body = "{\"name\": \"%s\"}".formatted(UUID.randomUUID());
        try (var client = RawConnection.to(service.url())) {
            return client.send("POST /resource_providers" + HEADERS + "Content-Length: " + body.length() + "\r\n\r\n"
                    + body).answer().status();
        }
    }
}
