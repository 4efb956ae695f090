package io.berth.scheduler.simulation;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers known to be right, where somebody put them beside the project; skipped otherwise. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class SimulationSamplesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILE = "reference/simulation-samples.json";

    @Test
    void answersEverySampleAsItsAuthorsDo() throws IOException {
        Optional<Path> samples = samples();
        assumeTrue(samples.isPresent(), "no " + FILE + " under berth.shared or beside the project: samples skipped");
        JsonNode cases = JSON.readTree(samples.get().toFile()).get("cases");
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
        assertThat(cases.size()).isPositive();
        assertThat(differences).isEmpty();
    }

    private static Optional<Path> samples() {
        String stated = System.getProperty("berth.shared");
        List<Path> places = stated == null
                ? Stream.of("../shared", "../../shared").map(Path::of).toList()
                : List.of(Path.of(stated));
        return places.stream().map(place -> place.resolve(FILE)).filter(Files::isReadable).findFirst();
    }
}
