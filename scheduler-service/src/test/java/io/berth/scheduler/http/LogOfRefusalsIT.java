package io.berth.scheduler.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.LogLines;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests that a client's error is reported in the response and not in the log. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LogOfRefusalsIT {
    private static int putCell(String name) {
        return given().header("x-auth-token", "admin").contentType("application/json")
                .body("{\"name\":\"" + name + "\"}")
                .put("/v1/cells/" + UUID.randomUUID()).statusCode();
    }

    @Test
    void logsNothingForAConflict() {
        String name = "cell-" + UUID.randomUUID();
        try (var log = LogLines.of("org.hibernate")) {
            assertThat(putCell(name)).isEqualTo(201);
            assertThat(putCell(name)).isEqualTo(409);
            assertThat(log.lines()).isEmpty();
        }
    }
}
