package io.berth.scheduler.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.Test;

/** What a client did wrong is the client's: its answer says it, and the log nothing. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LogOfRefusalsIT {
    private static int putCell(String name) {
        return given().header("x-auth-token", "admin").contentType("application/json")
                .body("{\"name\":\"" + name + "\"}")
                .put("/v1/cells/" + UUID.randomUUID()).statusCode();
    }

    @Test
    void saysNothingOfAConflict() {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        var listener = new ExtHandler() {
            @Override
            @SuppressWarnings("deprecation")
            protected void doPublish(ExtLogRecord line) {
                lines.add(line.getFormattedMessage());
            }
        };
        Logger log = Logger.getLogger("org.hibernate");
        log.addHandler(listener);
        String name = "cell-" + UUID.randomUUID();
        try {
            assertThat(putCell(name)).isEqualTo(201);
            assertThat(putCell(name)).isEqualTo(409);
        } finally {
            log.removeHandler(listener);
        }
        assertThat(lines).isEmpty();
    }
}
