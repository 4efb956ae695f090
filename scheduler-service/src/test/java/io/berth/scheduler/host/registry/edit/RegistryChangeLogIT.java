package io.berth.scheduler.host.registry.edit;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.LogLines;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares the log of registry changes with the changes that were made over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RegistryChangeLogIT {
    private static final String BY_ALICE = " user: alice project: alice request_id: req-[0-9a-f-]+ ";

    private final LogLines log = LogLines.of("io.berth.changes");
    private final UUID uuid = UUID.randomUUID();
    private final String name = "n-" + uuid;

    @AfterEach
    void closeLog() {
        log.close();
    }

    private static RequestSpecification alice() {
        return given().header("x-auth-token", "alice").header("x-roles", "admin").contentType("application/json");
    }

    private void assertLogged(String... patterns) {
        eventually(() -> {
            List<String> mine = log.lines().stream().filter(line -> line.contains(uuid.toString())).toList();
            assertThat(mine).hasSize(patterns.length);
            for (int i = 0; i < patterns.length; i++) {
                assertThat(mine.get(i)).matches(patterns[i]);
            }
        });
    }

    @Test
    void logsChangesOfARecordWithUserAndValues() {
        String path = "/v1/cells/" + uuid;
        String cell = "cell " + name + " \\(" + uuid + "\\)";
        alice().body("{\"name\":\"" + name + "\"}").put(path).then().statusCode(201);
        alice().body("{\"name\":\"" + name + "\"}").put(path).then().statusCode(200);
        alice().body("{\"enabled\":false,\"name\":\"" + name + "\"}").put(path).then().statusCode(200);
        alice().body("{\"cells\":[{\"uuid\":\"" + uuid + "\",\"name\":\"" + name + "\"}]}").put("/v1/cells").then()
                .statusCode(200);
        alice().header("if-match", "\"99\"").delete(path).then().statusCode(412);
        alice().delete(path).then().statusCode(204);
        String alone = "\\{\"name\":\"" + name + "\"}";
        String disabled =
                "\\{(\"enabled\":false,\"name\":\"" + name + "\"|\"name\":\"" + name + "\",\"enabled\":false)}";
        assertLogged(
                cell + " added" + BY_ALICE + "old: - new: " + alone,
                cell + " changed" + BY_ALICE + "old: " + alone + " new: " + disabled,
                cell + " changed" + BY_ALICE + "old: " + disabled + " new: " + alone,
                cell + " removed" + BY_ALICE + "old: " + alone + " new: -");
    }

    @Test
    void doesNotLogReportsOfComputeNodes() {
        alice().body("{\"host\":\"" + name + "\"}").put("/v1/compute_nodes/" + uuid).then().statusCode(201);
        alice().body("{\"host\":\"" + name + "\"}").put("/v1/services/" + uuid).then().statusCode(201);
        assertLogged("service " + name + " \\(" + uuid + "\\) added" + BY_ALICE + "old: - new: .*");
    }
}
