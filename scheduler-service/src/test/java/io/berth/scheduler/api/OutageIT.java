package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import io.berth.deploy.postgres.PostgresServer;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Health checks of both packaged services while PostgreSQL goes away and returns, and while placement is down after
 * that.
 */
@Tag("process")
class OutageIT {
    @TempDir
    Path folder;

    @Test
    void onlyReadinessFailsWhileTheDatabaseIsDown() throws Exception {
        PostgresServer database = PostgresServer.start(folder, 0, true, false);
        int port = database.port();
        try (var placement = ServiceProcess.start(Path.of("..", "placement-service"), database.url());
                var scheduler = ServiceProcess.start(Path.of("."), Map.of(
                        "BERTH_DATABASE_URL", database.url(), "BERTH_PLACEMENT_URL", placement.url()))) {
            awaitReady(placement, 200);
            awaitReady(scheduler, 200);
            assertThat(health(placement, "started").statusCode()).isEqualTo(200);
            assertThat(health(scheduler, "started").statusCode()).isEqualTo(200);

            database.close();
            Response placementDown = awaitReady(placement, 503);
            Response schedulerDown = awaitReady(scheduler, 503);
            assertThat(reason(placementDown, "fleet")).contains("within 2 s");
            assertThat(reason(schedulerDown, "registry")).contains("within 2 s");
            assertThat(health(scheduler, "well").statusCode()).isEqualTo(200);
            assertThat(health(placement, "live").statusCode()).isEqualTo(200);
            assertThat(health(scheduler, "live").statusCode()).isEqualTo(200);
            assertRefused(scheduler, "scheduler.database_unavailable");
            assertThat(given().get(scheduler.url() + "/q/metrics").asString())
                    .containsPattern("berth_decisions_total\\{[^}]*outcome=\"database_unavailable\"[^}]*} 1\\.0\n")
                    .containsPattern("berth_decisions_total\\{[^}]*outcome=\"fault\"[^}]*} 0\\.0\n");

            database = PostgresServer.start(folder, port, true, false);
            awaitReady(placement, 200);
            awaitReady(scheduler, 200);

            placement.close();
            assertThat(reason(await(scheduler, "well", 503), "placement")).isNotBlank();
            awaitReady(scheduler, 200);
            assertRefused(scheduler, "scheduler.placement_unavailable");
        } finally {
            database.close();
        }
    }

    private static void assertRefused(ServiceProcess scheduler, String code) {
        given().header("x-auth-token", "admin").contentType("application/json").body("""
                {"request_spec": {"instance_uuid": "33333333-3333-4333-8333-333333333333", "project_id": "p",
                 "user_id": "u", "flavor": {"id": 1, "name": "small", "vcpus": 2, "memory_mb": 4096}}}""")
                .post(scheduler.url() + "/v1/select_destinations").then()
                .statusCode(503)
                .header("retry-after", notNullValue())
                .body("errors[0].code", equalTo(code));
    }

    private static String reason(Response health, String check) {
        return health.jsonPath().getString("checks.find { it.name == '" + check + "' }.data?.reason");
    }

    private static Response health(ServiceProcess service, String kind) {
        return given().get(service.url() + "/q/health/" + kind);
    }

    private static Response awaitReady(ServiceProcess service, int status) {
        return await(service, "ready", status);
    }

    private static Response await(ServiceProcess service, String kind, int status) {
        var last = new AtomicReference<Response>();
        eventually(() -> {
            last.set(health(service, kind));
            assertThat(last.get().statusCode()).as(last.get().asString()).isEqualTo(status);
        });
        return last.get();
    }
}
