package io.berth.deploy.faults;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresServer;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import io.berth.deploy.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the promotion of a standby that has not received the records of in-flight requests. The standby is a copy of
 * the primary's files without replication, so all later writes are lost.
 */
class LostRecordIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_MAX = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    private PostgresServer old;
    private PostgresServer standby;
    private Wire wire;
    private ServiceProcess placementService;
    private ServiceProcess schedulerService;
    private Api placement;
    private Api scheduler;
    private SchedulerHosts hosts;
    private List<UUID> services;

    private void start() throws Exception {
        old = PostgresServer.start(folder.resolve("old"), 0, true, true);
        wire = Wire.to(old.port());
        String url = old.url().replace(":" + old.port() + "/", ":" + wire.port() + "/");
        placementService = ServiceProcess.start(Packaged.PLACEMENT, url);
        placement = new Api(placementService.url());
        schedulerService = ServiceProcess.start(
                Packaged.SCHEDULER, Map.of("BERTH_DATABASE_URL", url, "BERTH_PLACEMENT_URL", placementService.url()));
        scheduler = new Api(schedulerService.url());
        hosts = SchedulerHosts.make(placement, 2);
        services = hosts.register(scheduler);
    }

    @AfterEach
    void stop() throws IOException {
        schedulerService.close();
        placementService.close();
        wire.close();
        old.close();
        standby.close();
    }

    private void copyToStandby() throws IOException {
        old.close();
        PostgresServer.copyAsStandby(folder.resolve("old"), folder.resolve("new"));
        standby = PostgresServer.start(folder.resolve("new"), 0, true, true);
        old = PostgresServer.start(folder.resolve("old"), old.port(), true, true);
        eventually("connected again", () -> placement.isReady() && scheduler.isReady());
        SchedulerHosts.beat(scheduler, services);
    }

    private static Connection connect(PostgresServer server) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres&currentSchema=placement");
    }

    private static long count(Connection connection, String sql) {
        try (var statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private String spec() {
        return """
                "request_spec": {"project_id": "p", "user_id": "u", "flavor": {"id": 1, "name": "small", "vcpus": 1,
                 "memory_mb": 512, "root_gb": 10, "extra_specs": {"trait:%s": "required"}}}""".formatted(hosts.trait());
    }

    private String request(UUID... instances) {
        String names = String.join("\", \"", Stream.of(instances).map(UUID::toString).toList());
        return "{\"instance_uuids\": [\"%s\"], %s}".formatted(names, spec());
    }

    private Api.Response select(String body) {
        return scheduler.call("POST", "/v1/select_destinations", body, ANSWER_MAX);
    }

    private JsonNode held(UUID consumer) {
        Api.Response response = placement.get("/allocations/" + consumer);
        Cloud.expect(200, response);
        try {
            return JSON.readTree(response.body()).path("allocations");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isRegistered(UUID instance) {
        return scheduler.get("/v1/instances/" + instance).status() == 200;
    }

    @Test
    void placesEachRequestWhollyOrNotAtAllAfterAFailover() throws Exception {
        start();
        UUID one = UUID.randomUUID();
        UUID first = UUID.randomUUID();
        UUID second = UUID.randomUUID();
        UUID moving = UUID.randomUUID();
        UUID migration = UUID.randomUUID();
        Cloud.expect(200, select(request(moving)));
        UUID source = UUID.fromString(held(moving).fieldNames().next());
        copyToStandby();
        String move = """
                {"kind": "cold", "instance_uuid": "%s", "migration_uuid": "%s", "source_compute_node_uuid": "%s", %s}"""
                .formatted(moving, migration, source, spec());
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor(); Connection locks = connect(old)) {
            locks.setAutoCommit(false);
            // The claims wait for their hosts, so only their records are written.
            count(locks, "SELECT count(*) FROM (SELECT FROM resource_providers FOR UPDATE) AS locked");
            Future<Api.Response> single = clients.submit(() -> select(request(one)));
            Future<Api.Response> both = clients.submit(() -> select(request(first, second)));
            Future<Api.Response> moved = clients.submit(() -> scheduler.call("POST", "/v1/moves", move, ANSWER_MAX));
            try (Connection watching = connect(old)) {
                eventually("the records of all three are open", () -> count(watching, """
                        SELECT (SELECT count(*) FROM scheduler.request_leases WHERE number IS NOT NULL)
                             + (SELECT count(*) FROM scheduler.moves WHERE state = 'started')""") == 3);
                eventually("their claims wait", () -> count(watching, """
                        SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'""") > 0);
            }
            try (Connection promoted = connect(standby)) {
                count(promoted, "SELECT CASE WHEN pg_promote() THEN 1 ELSE 0 END");
                assertThat(count(promoted, "SELECT count(*) FROM scheduler.moves")).as("lost").isZero();
            }
            wire.forwardTo(standby.port());
            wire.cut();
            wire.pass();
            System.out.printf("one instance: %s%ntwo: %s%na move: %s%n", single.get(), both.get(), moved.get());
        }
        eventually("ready again", () -> placement.isReady() && scheduler.isReady());
        SchedulerHosts.beat(scheduler, services);
        for (UUID[] instances : List.of(new UUID[] {one}, new UUID[] {first, second})) {
            // Every instance holds allocations and is registered, or neither. If it is not placed, the same request
            // places it when it is sent again.
            eventually("wholly placed or not at all", () -> Stream.of(instances)
                    .map(each -> !held(each).isEmpty()).distinct().count() == 1
                    && Stream.of(instances).allMatch(each -> held(each).isEmpty() != isRegistered(each)));
            String[] placed = {null};
            eventually("the same request is answered", () -> {
                Api.Response again = select(request(instances));
                placed[0] = again.body();
                return again.status() == 200;
            });
            for (UUID instance : instances) {
                assertThat(held(instance).size()).as("one host").isEqualTo(1);
            }
            eventually("registered", () -> Stream.of(instances).allMatch(this::isRegistered));
            assertThat(select(request(instances)).body()).isEqualTo(placed[0]);
        }
        eventually("the same move is answered",
                () -> scheduler.call("POST", "/v1/moves", move, ANSWER_MAX).status() == 200);
        assertThat(held(migration).fieldNames().next()).isEqualTo(source.toString());
        assertThat(held(moving).fieldNames().next()).isNotEqualTo(source.toString());
        try (Connection promoted = connect(standby)) {
            assertThat(count(promoted, "SELECT count(DISTINCT consumer_uuid) FROM allocations"))
                    .as("the three instances, the moved one and its migration").isEqualTo(5);
        }
    }
}
