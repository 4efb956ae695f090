package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sends concurrent requests, which share placement's responses, for hosts with room for one instance each. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class SharedResponsesIT {
    private static final int HOSTS = 24;

    @TestHTTPResource("/v1/select_destinations")
    URI destinations;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String trait = "CUSTOM_S" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);

    @BeforeEach
    void makeHostsForOneInstanceEach() {
        placement().put("/traits/" + trait).then().statusCode(201);
        for (int i = 0; i < HOSTS; i++) {
            String uuid = UUID.randomUUID().toString();
            placement().body(Map.of("name", uuid, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
            placement()
                    .body(Map.of(
                            "resource_provider_generation", 0,
                            "inventories", Map.of("VCPU", Map.of("total", 1), "MEMORY_MB", Map.of("total", 512))))
                    .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
            placement().body(Map.of("resource_provider_generation", 1, "traits", List.of(trait)))
                    .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
        }
    }

    private static RequestSpecification placement() {
        return given().header("x-auth-token", "admin").contentType("application/json")
                .baseUri(PackagedPlacement.url()).port(URI.create(PackagedPlacement.url()).getPort())
                .header("openstack-api-version", "placement 1.36");
    }

    private CompletableFuture<HttpResponse<String>> select() {
        String body = """
                {"request_spec": {"instance_uuid": "%s", "project_id": "p", "user_id": "u",
                  "flavor": {"id": 1, "name": "small", "vcpus": 1, "memory_mb": 512,
                             "extra_specs": {"trait:%s": "required"}}}}""".formatted(UUID.randomUUID(), trait);
        return http.sendAsync(
                HttpRequest.newBuilder(destinations)
                        .header("x-auth-token", "admin").header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void concurrentRequestsFillEveryHostAndOneMoreIsRefused() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> pending = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            pending.add(select());
        }
        Set<String> hosts = new HashSet<>();
        for (CompletableFuture<HttpResponse<String>> one : pending) {
            HttpResponse<String> response = one.get();
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonNode selection = new ObjectMapper().readTree(response.body()).at("/selections/0/0/compute_node_uuid");
            hosts.add(selection.asText());
        }
        assertThat(hosts).hasSize(HOSTS);
        assertThat(select().get().statusCode()).isEqualTo(409);
    }
}
