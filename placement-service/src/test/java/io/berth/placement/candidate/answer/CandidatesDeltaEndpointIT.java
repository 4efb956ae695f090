package io.berth.placement.candidate.answer;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class CandidatesDeltaEndpointIT {
    private final String resourceClass = "CUSTOM_" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final String query = "resources=" + resourceClass + ":1";
    private final String first = UUID.randomUUID().toString();
    private final String second = UUID.randomUUID().toString();

    @BeforeEach
    void makeTwoHosts() {
        admin().put("/resource_classes/" + resourceClass).then().statusCode(201);
        host(first);
        host(second);
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.36")
                .contentType("application/json").urlEncodingEnabled(false);
    }

    private void host(String uuid) {
        admin().body(Map.of("name", uuid, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        admin().body(Map.of(
                        "resource_provider_generation", 0, "inventories", Map.of(resourceClass, Map.of("total", 2))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
    }

    private static ValidatableResponse ask(String query) {
        return admin().get("/berth/v1/allocation_candidates?" + query).then();
    }

    private void claim(String host) {
        admin().body(Map.of(
                        "allocations", Map.of(host, Map.of("resources", Map.of(resourceClass, 1))),
                        "project_id", "p", "user_id", "u"))
                .header("openstack-api-version", "placement 1.12")
                .put("/allocations/" + UUID.randomUUID()).then().statusCode(204);
    }

    @Test
    void tellsAllAndThenWhatChangedSince() {
        String token = ask(query).statusCode(200).contentType("application/json").header("cache-control", "no-cache")
                .body("held", nullValue()).body("roots", hasSize(2)).body("roots[0].root_provider_uuid", equalTo(first))
                .body("roots[0].allocation_requests[0].allocations.'" + first + "'.resources", equalTo(
                        Map.of(resourceClass, 1)))
                .extract().path("token");
        ask(query + "&held=" + token).body("held", equalTo(token)).body("token", equalTo(token))
                .body("roots", equalTo(List.of(List.of(0, 2))));
        claim(first);
        String next = ask("held=" + token + "&" + query)
                .body("held", equalTo(token)).body("token", not(equalTo(token))).body("roots", hasSize(2))
                .body("roots[0].held", equalTo(0))
                .body("roots[0].provider_summaries.'" + first + "'.resources." + resourceClass + ".used", equalTo(1))
                .body("roots[1]", equalTo(List.of(1, 1)))
                .extract().path("token");
        claim(first);
        ask(query + "&held=" + next).body("roots", equalTo(List.of(List.of(1, 1))));
        // Whoever missed the answers between is told the same.
        ask(query + "&held=" + token).body("held", equalTo(token)).body("roots", equalTo(List.of(List.of(1, 1))));
    }

    @Test
    void tellsAllWhereTheTokenIsNotOfThisQueryOrUnknown() {
        String token = ask(query).extract().path("token");
        ask(query + "&limit=1&held=" + token).body("held", nullValue()).body("roots", hasSize(1));
        ask(query + "&held=nobody%27s").body("held", nullValue()).body("roots", hasSize(2));
        ask(query + "&held=").body("held", nullValue()).body("roots", hasSize(2));
        ask("held=" + "x".repeat(20_000) + "&" + query).body("held", nullValue()).body("roots", hasSize(2));
    }

    @Test
    void tellsThatNobodyIsLeft() {
        String token = ask(query + "&in_tree=" + first).body("roots", hasSize(1)).extract().path("token");
        admin().delete("/resource_providers/" + first).then().statusCode(204);
        ask(query + "&in_tree=" + first + "&held=" + token).statusCode(200).body("roots", hasSize(0));
    }

    @Test
    void refusesWhatThePlainRouteRefuses() {
        ask("resources=CUSTOM_NOBODY:1").statusCode(400)
                .body("errors[0].detail", containsString("No such resource class CUSTOM_NOBODY."));
        ask(query + "&bogus=1").statusCode(400).body("errors[0].detail", containsString("'bogus' does not match"));
        ask("held=x").statusCode(400);
        given().header("x-auth-token", "user").get("/berth/v1/allocation_candidates?resources=VCPU:1")
                .then().statusCode(403);
        given().get("/berth/v1/allocation_candidates?resources=VCPU:1").then().statusCode(401);
        admin().post("/berth/v1/allocation_candidates").then().statusCode(405).header("allow", equalTo("GET"));
    }

    @Test
    void hasTheSemanticsOfTheLatestVersionWhateverTheClientNames() {
        given().header("x-auth-token", "admin").urlEncodingEnabled(false)
                .get("/berth/v1/allocation_candidates?" + query + "&required=in:HW_CPU_X86_AVX,HW_CPU_X86_AVX2")
                .then().statusCode(200).body("roots", hasSize(0));
    }

    @Test
    void takesHeldOutOfTheQueryAlone() {
        assertThat(CandidatesDeltaEndpoint.withoutHeld("held=a&resources=VCPU:1&limit=2"))
                .isEqualTo("resources=VCPU:1&limit=2")
                .isEqualTo(CandidatesDeltaEndpoint.withoutHeld("resources=VCPU:1&held=b&limit=2"));
        assertThat(CandidatesDeltaEndpoint.withoutHeld("required=CUSTOM_held")).isEqualTo("required=CUSTOM_held");
        assertThat(CandidatesDeltaEndpoint.withoutHeld(null)).isEmpty();
    }
}
