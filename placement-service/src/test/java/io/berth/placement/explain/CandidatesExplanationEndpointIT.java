package io.berth.placement.explain;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@code GET /berth/v1/allocation_candidates/explanation} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class CandidatesExplanationEndpointIT {
    private static final String ROUTE = "/berth/v1/allocation_candidates/explanation?";

    private final String resourceClass =
            "CUSTOM_" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    private final String small = UUID.randomUUID().toString();
    private final String large = UUID.randomUUID().toString();

    @BeforeEach
    void makeTwoHosts() {
        admin().put("/resource_classes/" + resourceClass).then().statusCode(201);
        host(small, 4);
        host(large, 16);
        admin().body(Map.of("resource_provider_generation", 1, "traits", List.of("HW_CPU_X86_AVX")))
                .put("/resource_providers/" + large + "/traits").then().statusCode(200);
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.36")
                .contentType("application/json").urlEncodingEnabled(false);
    }

    private void host(String uuid, int total) {
        admin().body(Map.of("name", uuid, "uuid", uuid)).post("/resource_providers").then().statusCode(200);
        admin()
                .body(Map.of(
                        "resource_provider_generation", 0,
                        "inventories", Map.of(resourceClass, Map.of("total", total, "max_unit", 8))))
                .put("/resource_providers/" + uuid + "/inventories").then().statusCode(200);
    }

    private static ValidatableResponse ask(String query) {
        return admin().get(ROUTE + query).then();
    }

    private static int plain(String query) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .urlEncodingEnabled(false).get("/allocation_candidates?" + query).then().statusCode(200)
                .extract().<List<?>>path("allocation_requests").size();
    }

    @Test
    void explainsWhyThereAreNoCandidatesAndSuggestsRelaxations() {
        String query = "resources=" + resourceClass + ":6&required=!HW_CPU_X86_AVX";
        var answer =
                ask(query + "&provider=" + small + "&provider=" + large).statusCode(200).contentType("application/json")
                        .header("cache-control", "no-cache")
                        .body("as_of.fleet_version", greaterThan(0)).body("as_of.registry_version", nullValue())
                        .body("as_of.time", notNullValue()).body("complete", equalTo(true)).body("gaps", empty())
                        .body("candidates", equalTo(0)).body("answered", equalTo(0))
                        .body("demands.demand",
                                equalTo(List.of("required=!HW_CPU_X86_AVX", "resources=" + resourceClass + ":6")))
                        .body("demands[1].alone", equalTo(1)).body("demands[1].after_all_before", equalTo(0))
                        .body("demands[1].nearest.provider", equalTo(small)).body("demands[1].nearest.free", equalTo(4))
                        .body("providers.root", equalTo(List.of(small, large)))
                        .body("providers[0].obstacles.code", equalTo(List.of("capacity")))
                        .body("providers[0].obstacles[0].stage", equalTo("placement"))
                        .body("providers[0].obstacles[0].wanted", equalTo(6))
                        .body("providers[0].obstacles[0].had", equalTo(4))
                        .body("providers[0].obstacles[0].unit", equalTo(resourceClass))
                        .body("providers[1].obstacles.code", equalTo(List.of("trait_forbidden")))
                        .body("providers[1].obstacles[0].had", equalTo(List.of("HW_CPU_X86_AVX")));
        List<Map<String, Object>> relaxations = answer.extract().path("relaxations");
        assertThat(relaxations).hasSize(1);
        assertThat(relaxations.getFirst()).containsEntry("without", List.of("required=!HW_CPU_X86_AVX"))
                .containsEntry("candidates", 1);
        assertThat(plain(query)).isZero();
        assertThat(plain((String) relaxations.getFirst().get("query"))).isEqualTo(1);
    }

    @Test
    void countsTheSameCandidatesAsThePlainRoute() {
        String query = "resources=" + resourceClass + ":4";
        assertThat(plain(query)).isEqualTo(2);
        ask(query).body("candidates", equalTo(2)).body("providers", empty());
        assertThat(plain(query + "&limit=1")).isEqualTo(1);
        // The providers are named, because hosts of other tests are also in the fleet.
        String both = "&provider=" + small + "&provider=" + large;
        ask(query + "&limit=1&relaxations=0" + both).body("candidates", equalTo(2)).body("answered", equalTo(1))
                .body("relaxations", empty())
                .body("providers.flatten().obstacles.code.flatten()", hasItem("cut_by_limit"));
    }

    @Test
    void countsDemandsWithoutRelaxations() {
        ask("resources=" + resourceClass + ":9&relaxations=0").statusCode(200).body("relaxations", empty())
                .body("demands[0].obstacle", equalTo("max_unit")).body("demands[0].suitable", equalTo(0))
                .body("demands[0].removed.root", hasItem(notNullValue()));
    }

    @Test
    void namesNoHostsWithDetailTenant() {
        String body = ask("resources=" + resourceClass + ":6&required=!HW_CPU_X86_AVX&detail=tenant").statusCode(200)
                .body("demands[1].obstacle", equalTo("capacity")).body("relaxations[0].candidates", equalTo(1))
                .body("providers", empty()).extract().asString();
        assertThat(body).doesNotContain(small, large);
        ask("resources=" + resourceClass + ":6&detail=tenant&providers_limit=1").statusCode(400)
                .body("errors[0].detail", containsString("detail=tenant names no providers"));
        ask("resources=" + resourceClass + ":6&detail=all").statusCode(400);
    }

    @Test
    void refusesInvalidParametersAndMissingPermission() {
        String query = "resources=" + resourceClass + ":1";
        UUID unknownUuid = UUID.randomUUID();
        ask(query + "&provider=" + unknownUuid).statusCode(404)
                .body("errors[0].detail", containsString("No resource provider with uuid " + unknownUuid + " found"));
        ask(query + "&provider=x").statusCode(400)
                .body("errors[0].detail",
                        containsString("Expected 'provider' parameter to be a format of uuid. Got: x"));
        for (String bad : List.of(
                "providers_limit=1001", "providers_limit=-1", "providers_limit=", "relaxations=6", "timeout_s=0",
                "timeout_s=61", "timeout_s=9999999999", "timeout_s=1.5")) {
            ask(query + "&" + bad).statusCode(400)
                    .body("errors[0].detail",
                            containsString("of " + bad.substring(0, bad.indexOf('=')) + " is not a number"));
        }
        ask(query + "&bogus=1").statusCode(400).body("errors[0].detail", containsString("'bogus' does not match"));
        ask(query + "&providers=" + small).statusCode(400)
                .body("errors[0].detail", containsString("unknown parameter 'providers'; did you mean 'provider'?"));
        ask("resourcesX=" + resourceClass + ":1&timeout=1").statusCode(400)
                .body("errors[0].detail", containsString("unknown parameter 'timeout'; did you mean 'timeout_s'?"));
        ask("limit=1").statusCode(400);
        ask("provider=" + small).statusCode(400);
        ask("resources=CUSTOM_NOBODY:1").statusCode(400)
                .body("errors[0].detail", containsString("No such resource class CUSTOM_NOBODY."));
        given().header("x-auth-token", "user").get(ROUTE + query).then().statusCode(403);
        given().get(ROUTE + query).then().statusCode(401);
        admin().post("/berth/v1/allocation_candidates/explanation").then().statusCode(405)
                .header("allow", equalTo("GET"));
    }

    @Test
    void accepts1000ProviderParametersAtMost() {
        String query = "resources=" + resourceClass + ":9";
        String thousand = ("&provider=" + small).repeat(999) + "&provider=" + large;
        ask(query + thousand).statusCode(200).body("providers", hasSize(2)).body("complete", equalTo(true));
        ask(query + thousand + "&provider=" + large).statusCode(400)
                .body("errors[0].detail", containsString("more than 1000 of provider"));
    }

    @Test
    void handlesManyRequestsAtOnce() throws InterruptedException {
        String query = "resources=" + resourceClass + ":9&providers_limit=1000&timeout_s=1";
        Callable<Integer> request = () -> admin().get(ROUTE + query).statusCode();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(threads.invokeAll(Collections.nCopies(100, request)))
                    .extracting(Future::get).allMatch(status -> status == 200 || status == 503).contains(200);
        }
    }
}
