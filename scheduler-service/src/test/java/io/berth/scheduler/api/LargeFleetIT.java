package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both packaged services with their default heap and 30,000 hosts. */
@Tag("process")
@Tag("long")
class LargeFleetIT {
    private static final Path PLACEMENT = Path.of("..", "placement-service");
    private static final int HOSTS = 30_000;
    private static final int REQUESTS = 40;
    private static final int EXPLAINED = 4;
    private static final String SELECT = "/v1/select_destinations";

    /** Requests with a different_host hint query placement for all candidates. */
    @Test
    void survivesConcurrentRequestsForAllCandidatesOfALargeFleet() throws Exception {
        String database = PostgresForTests.newDatabase();
        ServiceProcess.start(PLACEMENT, database).close();
        insertHosts(database);
        try (var placement = ServiceProcess.start(PLACEMENT, database);
                var scheduler = ServiceProcess.start(Path.of("."), Map.of(
                        "BERTH_DATABASE_URL", database,
                        "BERTH_PLACEMENT_URL", placement.url(),
                        "BERTH_PLACEMENT_TIMEOUT", "5M"));
                var clients = Executors.newFixedThreadPool(REQUESTS)) {
            Await.eventually("the scheduler is ready", () -> given()
                    .get(scheduler.url() + "/q/health/ready").statusCode() == 200);
            List<Callable<Response>> requests = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                requests.add(() -> selectUntilThereIsRoom(scheduler.url() + SELECT));
            }
            for (Future<Response> each : clients.invokeAll(requests)) {
                Response response = each.get();
                assertThat(response.statusCode()).as(response.body().asString()).isEqualTo(200);
                assertThat(response.jsonPath().getString("selections[0][0].host")).startsWith("host-");
            }
            // A full explanation of every host would take a hundred megabytes for each client.
            List<Callable<Response>> explained = new ArrayList<>();
            for (int i = 0; i < EXPLAINED; i++) {
                explained.add(() -> selectUntilThereIsRoom(scheduler.url() + SELECT + "?explain=true&dry_run=true"));
            }
            for (Future<Response> each : clients.invokeAll(explained)) {
                assertThat(each.get().jsonPath().getInt("explanation.instances[0].preselection.hosts_in"))
                        .isEqualTo(HOSTS);
            }
            assertThat(scheduler.process().isAlive()).isTrue();
            assertThat(scheduler.errors()).isEmpty();
        }
    }

    private static void insertHosts(String database) {
        PostgresForTests.run(database, """
                INSERT INTO placement.resource_providers (id, uuid, name, generation, root_id)
                SELECT 1000000 + i, gen_random_uuid(), 'host-' || i, 1, 1000000 + i FROM generate_series(1, %d) i;
                INSERT INTO placement.inventories (provider_id, resource_class_id, total, reserved, min_unit, max_unit,
                                                   step_size, allocation_ratio)
                SELECT p.id, c.id, 100000, 0, 1, 100000, 1, 1
                  FROM placement.resource_providers p, placement.resource_classes c WHERE c.name IN ('VCPU', 'MEMORY_MB')
                """.formatted(HOSTS));
    }

    /** On a slow machine some requests wait longer than permitted and are repeated. */
    private static Response selectUntilThereIsRoom(String url) {
        UUID instance = UUID.randomUUID();
        Response response = select(url, instance);
        while (response.statusCode() == 503) {
            assertThat(response.jsonPath().getString("errors[0].code")).isEqualTo("scheduler.overloaded");
            response = select(url, instance);
        }
        return response;
    }

    private static Response select(String url, UUID instance) {
        return given().header("x-auth-token", "admin").contentType("application/json").body("""
                {"request_spec": {"instance_uuid": "%s", "project_id": "p", "user_id": "u",
                 "flavor": {"id": 1, "name": "small", "vcpus": 2, "memory_mb": 4096},
                 "scheduler_hints": {"different_host": ["%s"]}}}""".formatted(instance, UUID.randomUUID()))
                .post(url);
    }
}
