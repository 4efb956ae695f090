package io.berth.scheduler.health;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.scheduler.api.PackagedPlacement;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Requests what the services report about themselves, with a real Placement. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class RunningServiceIT {
    private static RequestSpecification as(String role) {
        return given().header("x-auth-token", "joe").header("x-roles", role);
    }

    @Test
    void namesTheReplicasOfBothServices() {
        JsonPath replicas = as("service").get("/v1/replica").then().statusCode(200)
                .body("placement_trouble", nullValue())
                .extract().jsonPath();
        assertThat(replicas.getString("scheduler.name")).endsWith("/" + ProcessHandle.current().pid());
        assertThat(replicas.getString("placement.name")).isNotEqualTo(replicas.getString("scheduler.name"));
        assertThat(replicas.getString("placement.version")).isEqualTo(replicas.getString("scheduler.version"))
                .isNotBlank();
        assertThat(Instant.parse(replicas.getString("scheduler.started_at")))
                .isEqualTo(ProcessHandle.current().info().startInstant().orElseThrow());
    }

    @Test
    void showsFindingsOfPlacementsAuditToAdmins() {
        as("service").get("/v1/audit").then().statusCode(403)
                .body("errors[0].detail", equalTo("the policy does not allow scheduler:audit:show"));
        as("admin").get("/v1/audit").then().statusCode(200)
                .body("findings", notNullValue())
                .body("audits", hasSize(0));
    }
}
