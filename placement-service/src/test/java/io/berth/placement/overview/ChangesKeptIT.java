package io.berth.placement.overview;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the latest changes outlive the process that made them, and that the URL of the database may come from a
 * file.
 */
@Tag("process")
class ChangesKeptIT {
    @TempDir
    Path folder;

    private ServiceProcess start(String changesMax) throws IOException {
        Path url = Files.writeString(folder.resolve("url"), PostgresForTests.url() + "\n");
        return ServiceProcess.start(
                Path.of(""), Map.of("BERTH_DATABASE_URL_FILE", url.toString(), "BERTH_CHANGES_MAX", changesMax));
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .contentType("application/json");
    }

    private static Response changes(ServiceProcess service, UUID host) {
        return admin().get(service.url() + "/berth/v1/changes?about=" + host);
    }

    @Test
    void keepsTheLatestChangesInTheDatabaseUpToTheMaximum() throws IOException {
        UUID host = UUID.randomUUID();
        try (ServiceProcess service = start("3")) {
            admin().body("{\"name\": \"" + host + "\", \"uuid\": \"" + host + "\"}")
                    .post(service.url() + "/resource_providers").then().statusCode(200);
            for (int generation = 0; generation < 5; generation++) {
                admin().body("{\"resource_provider_generation\": " + generation
                        + ", \"inventories\": {\"VCPU\": {\"total\": " + (10 + generation) + "}}}")
                        .put(service.url() + "/resource_providers/" + host + "/inventories").then().statusCode(200);
            }
        }
        try (ServiceProcess service = start("3")) {
            changes(service, host).then().statusCode(200).body("changes.new", contains(
                    containsString("\"total\":14,"), containsString("\"total\":13,"), containsString("\"total\":12,")));
        }
        try (ServiceProcess service = start("0")) {
            admin().body("{\"resource_provider_generation\": 5, \"inventories\": {}}")
                    .put(service.url() + "/resource_providers/" + host + "/inventories").then().statusCode(200);
            changes(service, host).then().statusCode(200).body("changes.size()", equalTo(3));
        }
    }
}
