package io.berth.placement.identity;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

/** No way of writing a path comes past the gate. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PathsIT {
    @Test
    void aPathWrittenOtherwiseStillNeedsAToken() {
        String[] paths = {
            "/resource_providers", "/resource_providers/", "//resource_providers", "/./resource_providers",
            "/q/../resource_providers", "/;a=b/resource_providers", "/resource_providers;a=b", "/%72esource_providers",
            "/q/resource_providers", "/nothing"
        };
        for (String path : paths) {
            assertThat(given().urlEncodingEnabled(false).get(path).statusCode()).as(path).isIn(401, 404);
        }
        assertThat(given().get("/resource_providers").statusCode()).isEqualTo(401);
        assertThat(given().get("/").statusCode()).isEqualTo(200);
        assertThat(given().get("/q/health/live").statusCode()).isEqualTo(200);
    }
}
