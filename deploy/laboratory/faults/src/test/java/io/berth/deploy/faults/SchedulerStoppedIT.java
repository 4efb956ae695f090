package io.berth.deploy.faults;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import io.berth.deploy.wire.Wire;
import java.net.URI;
import java.sql.Connection;
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
import org.junit.jupiter.api.Test;

/**
 * One of two schedulers is suspended (SIGSTOP) in the middle of two claims. The clients send the same requests to the
 * other scheduler. Then the first one is resumed, and must change nothing. {@code --long} suspends it for ten minutes
 * more.
 */
class SchedulerStoppedIT {
    private static final Duration RESPONSE_MAX = Duration.ofMinutes(20);
    private static final Duration STOPPED_FURTHER = Duration.ofMinutes(Cloud.LONG ? 10 : 0);

    private final Cloud cloud = Cloud.shared();

    private ServiceProcess scheduler(String placementUrl) {
        return ServiceProcess.start(Packaged.SCHEDULER, Map.of(
                "BERTH_DATABASE_URL", cloud.postgres().url(cloud.postgres().port()),
                "BERTH_PLACEMENT_URL", placementUrl));
    }

    private static String body(UUID instance, String trait) {
        return """
                {"instance_uuids": ["%s"], "return_alternates": true, "request_spec": {"project_id": "p",
                 "user_id": "u", "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512, "root_gb": 10,
                                            "extra_specs": {"trait:%s": "required"}}}}""".formatted(instance, trait);
    }

    private static Api.Response select(Api scheduler, String body) {
        return scheduler.call("POST", "/v1/select_destinations", body, RESPONSE_MAX);
    }

    private static String value(Connection database, String query) {
        try (var statement = database.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private static String sqlArray(UUID... instances) {
        return "'{%s}'::uuid[]".formatted(String.join(",", Stream.of(instances).map(UUID::toString).toList()));
    }

    /** Returns the number of the instances' records that are open. */
    private static int openRecords(Connection database, UUID... instances) {
        return Integer.parseInt(value(database, """
                SELECT count(*) FROM scheduler.request_leases JOIN scheduler.request_records USING (key)
                 WHERE instances && %s""".formatted(sqlArray(instances))));
    }

    /** Returns everything that both services store of the instances. */
    private static String stored(Connection database, UUID... instances) {
        return value(database, """
                SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                  SELECT 'allocation ' || to_jsonb(a)::text AS line FROM placement.allocations a
                   WHERE consumer_uuid = ANY(%1$s)
                  UNION ALL SELECT 'consumer ' || to_jsonb(c)::text FROM placement.consumers c WHERE uuid = ANY(%1$s)
                  UNION ALL SELECT 'instance ' || to_jsonb(i)::text FROM scheduler.instances i WHERE uuid = ANY(%1$s)
                  UNION ALL SELECT 'record ' || to_jsonb(r)::text FROM scheduler.request_records r WHERE instances && %1$s
                  UNION ALL SELECT 'owner ' || to_jsonb(o)::text FROM scheduler.request_instances o
                             WHERE instance = ANY(%1$s)) AS lines""".formatted(sqlArray(instances)));
    }

    @Test
    void changesNothingWhenItIsResumedAfterAnotherSchedulerTookItsRequestsOver() throws Exception {
        cloud.awaitReady(0);
        cloud.awaitReady(1);
        String trait = SchedulerHosts.make(cloud.placement(0), 2).trait();
        UUID arrived = UUID.randomUUID();
        UUID late = UUID.randomUUID();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                Wire wire = Wire.to(URI.create(cloud.url(0)).getPort());
                Connection database = cloud.postgres().connect();
                ServiceProcess stopped = scheduler("http://127.0.0.1:" + wire.port());
                ServiceProcess other = scheduler(cloud.url(1))) {
            Api stoppedApi = new Api(stopped.url());
            Api otherApi = new Api(other.url());
            eventually("both are ready", () -> stoppedApi.isReady() && otherApi.isReady());
            Future<Api.Response> arrivedResponse;
            Future<Api.Response> lateResponse;
            try (Connection hostLocks = cloud.postgres().connect(); Connection openings = cloud.postgres().connect()) {
                hostLocks.setAutoCommit(false);
                openings.setAutoCommit(false);
                // The first claim reaches PostgreSQL, and waits there.
                value(hostLocks, "SELECT count(*) FROM (SELECT FROM placement.resource_providers FOR UPDATE) AS each");
                arrivedResponse = clients.submit(() -> select(stoppedApi, body(arrived, trait)));
                eventually("the first record is open", () -> openRecords(database, arrived) == 1);
                eventually("the first claim waits", () -> value(database,
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").equals("1"));
                // The second request has read its candidates when it opens its record; its claim stays in the wire.
                openings.createStatement().execute("LOCK TABLE scheduler.request_leases IN SHARE MODE");
                lateResponse = clients.submit(() -> select(stoppedApi, body(late, trait)));
                eventually("the second record waits", () -> value(database, """
                        SELECT EXISTS (SELECT FROM pg_locks
                                        WHERE relation = 'scheduler.request_leases'::regclass AND NOT granted)""")
                        .equals("t"));
                wire.stall();
                openings.rollback();
                eventually("the second record is open", () -> openRecords(database, late) == 1);
                stopped.suspend();
                hostLocks.rollback();
            }
            try {
                eventually("the first claim is in the ledger", () -> value(database,
                        "SELECT count(*) FROM placement.allocations WHERE consumer_uuid = '%s'".formatted(arrived))
                        .equals("3"));
                String leaseEnd = value(database, """
                        SELECT max(lease_until) FROM scheduler.request_leases JOIN scheduler.request_records USING (key)
                         WHERE instances && %s""".formatted(sqlArray(arrived, late)));
                Future<Api.Response> arrivedAgain = clients.submit(() -> repeat(otherApi, body(arrived, trait)));
                Future<Api.Response> lateAgain = clients.submit(() -> repeat(otherApi, body(late, trait)));
                String arrivedBody = arrivedAgain.get().body();
                String lateBody = lateAgain.get().body();
                System.out.printf("  both requests were answered %s after the end of the leases%n",
                        value(database, "SELECT clock_timestamp() - '%s'::timestamptz".formatted(leaseEnd)));
                eventually("the records are closed", () -> openRecords(database, arrived, late) == 0);
                Await.pause(STOPPED_FURTHER.toMillis());
                String before = stored(database, arrived, late);
                stopped.resume();
                wire.pass();
                for (Api.Response response : List.of(arrivedResponse.get(), lateResponse.get())) {
                    System.out.println("  the resumed scheduler: " + response);
                    assertThat(response.status()).isIn(200, 409, 503, Api.NO_RESPONSE);
                }
                eventually("it is ready again", stoppedApi::isReady);
                assertThat(stored(database, arrived, late)).isEqualTo(before);
                assertThat(select(stoppedApi, body(arrived, trait)).body()).isEqualTo(arrivedBody);
                assertThat(select(stoppedApi, body(late, trait)).body()).isEqualTo(lateBody);
                assertThat(stored(database, arrived, late)).isEqualTo(before);
            } finally {
                stopped.resume();
            }
        }
    }

    /** Repeats the request until the instance is placed: while the first scheduler owns its record, it is refused. */
    private static Api.Response repeat(Api scheduler, String body) {
        Api.Response[] response = {null};
        eventually(() -> {
            response[0] = select(scheduler, body);
            Cloud.expect(200, response[0]);
        });
        return response[0];
    }
}
