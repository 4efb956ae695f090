package io.berth.scheduler.simulation;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Tests simulations with responses that are known to be right: {@code simulation/samples.json}. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SimulationSamplesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CASES = 161;

    @Test
    void everySampleHasTheExpectedResponse() throws IOException {
        JsonNode cases;
        try (InputStream samples = getClass().getResourceAsStream("/simulation/samples.json")) {
            cases = JSON.readTree(samples).get("cases");
        }
        var differences = new ArrayList<String>();
        for (JsonNode sample : cases) {
            JsonNode reply = JSON.readTree(given().header("x-auth-token", "admin")
                    .contentType("application/json")
                    .body(JSON.writeValueAsBytes(sample.get("request")))
                    .post("/v1/simulations")
                    .asByteArray());
            for (String difference : new ReplyComparison(sample.get("expect"), reply).differences()) {
                differences.add(sample.get("id").textValue() + ": " + difference);
            }
        }
        assertThat(cases).hasSize(CASES);
        assertThat(differences).isEmpty();
    }
}
