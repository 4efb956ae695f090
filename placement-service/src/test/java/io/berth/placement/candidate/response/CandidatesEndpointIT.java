package io.berth.placement.candidate.response;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.StringJoiner;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@code GET /allocation_candidates} over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class CandidatesEndpointIT {
    /** Enough hosts that a search without a limit continues on a worker thread. */
    private static final int HOSTS = 3_000;

    /**
     * Creates hosts with a resource class of their own, so that other tests' providers are not found, and records them
     * as changes of the fleet. Has no effect when it is repeated.
     */
    private static final String HOSTS_OF_A_CLASS = """
            WITH class AS (
                 INSERT INTO resource_classes (name) VALUES ('CUSTOM_CANDIDATES') ON CONFLICT DO NOTHING RETURNING id),
            recorded AS (
                 INSERT INTO fleet_changes (kind, object_id) SELECT 1, id FROM class),
            made AS (
                 SELECT nextval(pg_get_serial_sequence('resource_providers', 'id')) AS id, gen_random_uuid() AS uuid, n
                   FROM class, generate_series(1, %d) n),
            hosts AS (
                 INSERT INTO resource_providers (id, uuid, name, root_id)
                 SELECT id, uuid, 'candidates-' || n, id FROM made RETURNING id),
            stocks AS (
                 INSERT INTO inventories (
                    provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
                 SELECT made.id, class.id, n, 0, 1, 2147483647, 1, 1.0 FROM made, class)
            INSERT INTO fleet_changes (kind, object_id) SELECT 0, id FROM hosts
            """;

    @Inject
    Pool pool;

    @Inject
    MeterRegistry meters;

    @BeforeEach
    void createHosts() {
        pool.query(HOSTS_OF_A_CLASS.formatted(HOSTS)).executeAndAwait();
    }

    private static ValidatableResponse get(String version, String query) {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement " + version)
                .urlEncodingEnabled(false).get("/allocation_candidates?" + query).then();
    }

    @Test
    void existsFrom1Dot10() {
        get("1.9", "resources=CUSTOM_CANDIDATES:1").statusCode(404);
        get("1.10", "resources=CUSTOM_CANDIDATES:" + HOSTS).statusCode(200)
                .body("allocation_requests", hasSize(1))
                .body("allocation_requests[0].allocations[0].resources.CUSTOM_CANDIDATES", equalTo(HOSTS));
    }

    @Test
    void sendsCacheHeadersFrom1Dot15() {
        get("1.14", "resources=CUSTOM_CANDIDATES:1").header("last-modified", nullValue())
                .header("cache-control", nullValue());
        get("1.15", "resources=CUSTOM_CANDIDATES:1")
                .contentType("application/json")
                .header("cache-control", "no-cache")
                .header("last-modified", matchesPattern("\\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]{8} GMT"));
    }

    @Test
    void returnsAllCandidatesOrAsManyAsTheLimit() {
        get("1.39", "resources=CUSTOM_CANDIDATES:1&limit=7").body("allocation_requests", hasSize(7))
                .body("provider_summaries", aMapWithSize(7));
        get("1.39", "resources=CUSTOM_CANDIDATES:1").statusCode(200)
                .body("allocation_requests", hasSize(HOSTS))
                .body("provider_summaries", aMapWithSize(HOSTS));
    }

    @Test
    void seesAClaimThatWasJustMade() {
        String one = get("1.39", "resources=CUSTOM_CANDIDATES:" + HOSTS).extract()
                .path("allocation_requests[0].mappings.''[0]");
        pool.query("""
                WITH p AS (SELECT id FROM resource_providers WHERE uuid = '%s'),
                     u AS (UPDATE inventories SET used = 1 WHERE provider_id IN (SELECT id FROM p))
                INSERT INTO fleet_changes (kind, object_id) SELECT 0, id FROM p
                """.formatted(one)).executeAndAwait();
        get("1.39", "resources=CUSTOM_CANDIDATES:" + HOSTS).body("allocation_requests", hasSize(0));
        get("1.39", "resources=CUSTOM_CANDIDATES:" + (HOSTS - 1) + "&in_tree=" + one)
                .body("provider_summaries.'" + one + "'.resources.CUSTOM_CANDIDATES.used", equalTo(1));
        pool.query("""
                WITH p AS (SELECT id FROM resource_providers WHERE uuid = '%s'),
                     u AS (UPDATE inventories SET used = 0 WHERE provider_id IN (SELECT id FROM p))
                INSERT INTO fleet_changes (kind, object_id) SELECT 0, id FROM p
                """.formatted(one)).executeAndAwait();
    }

    @Test
    void repeatsACachedResponseWhileNothingChanges() {
        String query = "resources=CUSTOM_CANDIDATES:" + (HOSTS - 2);
        var repeated = meters.counter("berth.candidates.repeated");
        // Hosts of other tests may still be arriving in the view.
        String first = get("1.39", query).extract().asString();
        double before = repeated.count();
        assertThat(get("1.39", query).extract().asString()).isEqualTo(first);
        assertThat(get("1.39", query).extract().asString()).isEqualTo(first);
        assertThat(repeated.count() - before).isBetween(1.0, 2.0);
        get("1.28", query).body("provider_summaries[0].root_provider_uuid", nullValue());
        assertThat(repeated.count() - before).isBetween(1.0, 2.0);
    }

    @Test
    void refusesUnknownClassesTraitsAndParameters() {
        get("1.39", "resources=CUSTOM_NOBODY:1").statusCode(400)
                .body(
                        "errors[0].detail",
                        containsString(
                                "Invalid resource class in resources parameter: No such resource class CUSTOM_NOBODY."))
                .body("errors[0].code", equalTo("placement.undefined_code"));
        get("1.39", "resources=VCPU:1&required=CUSTOM_NOBODY").statusCode(400)
                .body("errors[0].detail", containsString("No such trait(s): CUSTOM_NOBODY."));
        get("1.39", "resources=VCPU:1&bogus=1").statusCode(400)
                .body("errors[0].detail", containsString("'bogus' does not match any of the regexes"));
        get("1.39", "resources=VCPU:1&root_required=A&root_required=B").statusCode(400)
                .body("errors[0].code", equalTo("placement.query.duplicate_key"));
    }

    @Test
    void acceptsAThousandAggregates() {
        var aggregates = new StringJoiner(",", "in:", "");
        for (int i = 0; i < 1_000; i++) {
            aggregates.add(UUID.randomUUID().toString());
        }
        get("1.39", "resources=CUSTOM_CANDIDATES:1&member_of=" + aggregates).statusCode(200)
                .body("allocation_requests", hasSize(0));
    }

    @Test
    void requiresAnAdminWhoAcceptsJson() {
        given().header("x-auth-token", "user").header("openstack-api-version", "placement 1.10")
                .get("/allocation_candidates?resources=VCPU:1").then().statusCode(403)
                .body("errors[0].detail", containsString("placement:allocation_candidates:list"));
        given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.10")
                .header("accept", "text/plain")
                .get("/allocation_candidates?resources=VCPU:1").then().statusCode(406);
        given().get("/allocation_candidates?resources=VCPU:1").then().statusCode(401);
    }
}
