package io.berth.placement;

import static io.restassured.RestAssured.get;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SmokeTest {
    @Test
    void healthy() {
        get("/q/health").then().statusCode(200);
    }
}
