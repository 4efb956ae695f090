package io.berth.scheduler.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Runs TrustedFilter with trust levels from a simulated attestation service over HTTP, from the request to the claim.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
@QuarkusTestResource(PlayedAttestation.class)
class AttestationIT {
    private final String id = UUID.randomUUID().toString();
    private final String trait = "CUSTOM_" + id.replace('-', '_').toUpperCase(Locale.ROOT);

    @Test
    void placesOnHostsWithTheRequestedTrustLevelAndCachesTheLevels() {
        makeHost("small-" + id, 4);
        makeHost("large-" + id, 8);
        PlayedAttestation.server().says("small-" + id, "trusted", Instant.now());
        PlayedAttestation.server().says("large-" + id, "untrusted", Instant.now());

        select("trusted").statusCode(200).body("selections[0][0].host", equalTo("small-" + id));
        select("untrusted").statusCode(200).body("selections[0][0].host", equalTo("large-" + id));
        select("holy").statusCode(409)
                .body("errors[0].code", equalTo("scheduler.no_valid_host"))
                .body("errors[0].explanation.nearest_miss.stage", equalTo("TrustedFilter"));
        int calls = PlayedAttestation.server().calls().size();
        assertThat(calls).as("trust levels are cached for a minute").isEqualTo(1);
        select(null).statusCode(200);
        assertThat(PlayedAttestation.server().calls()).hasSize(calls);
    }

    private static RequestSpecification placement() {
        return given().header("x-auth-token", "admin").contentType("application/json")
                .baseUri(PackagedPlacement.url())
                .port(URI.create(PackagedPlacement.url()).getPort())
                .header("openstack-api-version", "placement 1.36");
    }

    private void makeHost(String name, int vcpus) {
        String uuid = UUID.randomUUID().toString();
        placement().put("/traits/" + trait);
        placement().body(Map.of("name", name, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        placement().body("""
                {"resource_provider_generation": 0, "inventories": {
                    "VCPU": {"total": %d}, "MEMORY_MB": {"total": %d}}}""".formatted(vcpus, vcpus * 1024))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
        placement().body("{\"resource_provider_generation\": 1, \"traits\": [\"" + trait + "\"]}")
                .put("/resource_providers/" + uuid + "/traits").then().statusCode(200);
    }

    private ValidatableResponse select(String level) {
        return given().header("x-auth-token", "admin").contentType("application/json").body("""
                {"request_spec": {"instance_uuid": "%s", "flavor": {"id": 1, "name": "f", "vcpus": 1, "memory_mb": 512,
                    "extra_specs": {"trait:%s": "required"%s}}}}
                """.formatted(UUID.randomUUID(), trait,
                level == null ? "" : ", \"trust:trusted_host\": \"" + level + "\""))
                .post("/v1/select_destinations")
                .then();
    }
}
