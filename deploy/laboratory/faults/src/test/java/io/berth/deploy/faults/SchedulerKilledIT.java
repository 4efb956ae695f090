package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests requests for one and five instances through two schedulers while one of them is killed and started again. */
class SchedulerKilledIT {
    private static final int ROUNDS = Cloud.LONG ? 40 : 3;
    private static final int CLIENTS = 8;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(90);

    private final Cloud cloud = Cloud.shared();
    private final Random random = new Random(cloud.seed());
    private final List<ServiceProcess> schedulers = new ArrayList<>();
    /** The acknowledged requests: body to response. */
    private final Map<String, String> responses = new ConcurrentHashMap<>();
    /** The instances of all requests. */
    private final Queue<List<UUID>> requested = new ConcurrentLinkedQueue<>();
    private final Load load = new Load(200);
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private Map<String, String> environment() {
        return Map.of(
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()),
                "BERTH_PLACEMENT_URL", cloud.url(0));
    }

    private Api scheduler(int index) {
        return new Api(schedulers.get(index).url());
    }

    @Test
    void placesEachRequestWhollyOrRollsItBack() throws Exception {
        cloud.awaitReady(0);
        String trait = SchedulerHosts.make(cloud.placement(0), 10).trait();
        try {
            schedulers.add(ServiceProcess.start(Packaged.SCHEDULER, environment()));
            schedulers.add(ServiceProcess.start(Packaged.SCHEDULER, environment()));
            load.begin(CLIENTS, number -> {
                var turn = new AtomicInteger();
                return () -> work(number, turn.getAndIncrement(), trait);
            });
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitAcknowledged(20);
                Await.pause(random.nextInt(500));
                schedulers.getFirst().process().destroyForcibly().waitFor();
                load.awaitAcknowledged(20);
                schedulers.set(0, ServiceProcess.start(
                        Packaged.SCHEDULER, environment(), URI.create(schedulers.getFirst().url()).getPort()));
            }
            load.awaitAcknowledged(20);
            load.close();
            System.out.println("  " + load);
            assertThat(load.count(Api.NO_RESPONSE) + load.count(503)).as("requests that failed").isPositive();
            check();
        } finally {
            load.close();
            schedulers.forEach(ServiceProcess::close);
        }
    }

    private void work(int number, int turn, String trait) {
        List<UUID> instances = new ArrayList<>();
        for (int k = 0; k < (turn % 2 == 0 ? 5 : 1); k++) {
            instances.add(UUID.randomUUID());
        }
        String names = String.join("\", \"", instances.stream().map(UUID::toString).toList());
        String body = """
                {"instance_uuids": ["%s"], "return_alternates": true, "request_spec": {"project_id": "p",
                 "user_id": "u", "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 10,
                                            "extra_specs": {"trait:%s": "required"}}}}""".formatted(names, trait);
        requested.add(instances);
        Api.Response answer = load.counted(
                scheduler((number + turn) % 2).call("POST", "/v1/select_destinations", body, ANSWER_MAX));
        switch (answer.status()) {
            case 200 -> responses.put(body, answer.body());
            case Api.NO_RESPONSE, 503 -> Await.pause(50);
            default -> wrong.add(answer.toString());
        }
    }

    private void check() throws SQLException {
        assertThat(wrong).isEmpty();
        try (Connection database = cloud.postgres().connect()) {
            UUID[] all = requested.stream().flatMap(List::stream).toArray(UUID[]::new);
            Await.eventually("no allocation is without an owner", () -> count(database, """
                    SELECT count(DISTINCT consumer_uuid) FROM allocations
                     WHERE consumer_uuid = ANY(?)
                       AND NOT EXISTS (SELECT FROM scheduler.request_instances
                                         JOIN scheduler.request_records USING (key)
                                         LEFT JOIN scheduler.request_leases USING (key)
                                        WHERE instance = consumer_uuid AND request_leases.key IS NULL)""", all) == 0);
            Await.eventually("no request is placed in part", () -> count(database, """
                    SELECT count(*) FROM scheduler.request_records
                     WHERE NOT EXISTS (SELECT FROM scheduler.request_leases WHERE request_leases.key = request_records.key)
                       AND instances && ?
                       AND EXISTS (SELECT FROM unnest(instances) AS instance
                                    WHERE NOT EXISTS (SELECT FROM allocations WHERE consumer_uuid = instance)
                                       OR NOT EXISTS (SELECT FROM scheduler.instances WHERE uuid = instance))""", all)
                    == 0);
            Await.eventually("every registered instance holds allocations", () -> count(database, """
                    SELECT count(*) FROM scheduler.instances
                     WHERE uuid = ANY(?)
                       AND NOT EXISTS (SELECT FROM allocations WHERE consumer_uuid = uuid)""", all) == 0);
        }
        responses.forEach((body, answer) -> {
            Api.Response again = scheduler(1).call("POST", "/v1/select_destinations", body, ANSWER_MAX);
            assertThat(again.body()).as("the same request again, %s", again.status()).isEqualTo(answer);
        });
    }

    private static long count(Connection database, String query, UUID[] instances) {
        try (var statement = database.prepareStatement(query)) {
            statement.setArray(1, database.createArrayOf("uuid", instances));
            try (var rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
