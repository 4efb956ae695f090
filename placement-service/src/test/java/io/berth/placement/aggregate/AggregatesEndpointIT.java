package io.berth.placement.aggregate;

import static io.berth.placement.CatalogueApi.at;
import static io.berth.placement.CatalogueApi.generation;
import static io.berth.placement.CatalogueApi.newProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the routes of a provider's aggregates in all microversions. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class AggregatesEndpointIT {
    private final UUID provider = UUID.randomUUID();
    private final String aggregate = UUID.randomUUID().toString();

    @Test
    void doNotExistBefore1Dot1() {
        String path = "/resource_providers/" + newProvider() + "/aggregates";
        at("1.0").get(path).then().statusCode(404);
        at("1.0", "[]").put(path).then().statusCode(404);
        at("1.1").get(path).then().statusCode(200).header("last-modified", nullValue()).body("aggregates", empty());
        at("1.15").get(path).then().statusCode(200).header("last-modified", endsWith("GMT"));
    }

    @Test
    void doNotRaiseTheGenerationBefore1Dot19() {
        UUID host = newProvider();
        String path = "/resource_providers/" + host + "/aggregates";
        at("1.18", "[\"" + aggregate + "\"]").put(path).then().statusCode(200)
                .body("aggregates", contains(aggregate)).body("$", not(hasKey("resource_provider_generation")));
        assertThat(generation(host)).isZero();
        at("1.18", "[]").put(path).then().statusCode(200);
        at("1.39").get(path).then().body("aggregates", empty());
    }

    @Test
    void raiseAndRequireTheGenerationFrom1Dot19() {
        UUID host = newProvider();
        String path = "/resource_providers/" + host + "/aggregates";
        for (int i = 0; i < 2; i++) {
            at("1.19", body(i)).put(path).then().statusCode(200)
                    .body("aggregates", contains(aggregate)).body("resource_provider_generation", equalTo(i + 1));
        }
        at("1.39", body(1)).put(path).then().statusCode(409)
                .body("errors[0].code", equalTo("placement.concurrent_update"))
                .body("errors[0].detail", containsString("Please update the generation and try again."));
        at("1.18").get(path).then().body("aggregates", contains(aggregate))
                .body("$", not(hasKey("resource_provider_generation")));
    }

    @Test
    void returnsTheSpellingOfTheClientAndFindsEverySpelling() {
        String digits = aggregate.replace("-", "");
        List<String> spellings =
                List.of(digits, digits.toUpperCase(Locale.ROOT), aggregate.toUpperCase(Locale.ROOT), aggregate);
        List<String> hosts = new ArrayList<>();
        for (String spelling : spellings) {
            String host = newProvider().toString();
            String path = "/resource_providers/" + host + "/aggregates";
            at("1.39", "{\"aggregates\": [\"" + spelling + "\"], \"resource_provider_generation\": 0}").put(path).then()
                    .statusCode(200).body("aggregates", contains(spelling));
            at("1.39").get(path).then().body("aggregates", contains(spelling));
            hosts.add(host);
        }
        for (String spelling : spellings) {
            at("1.39").get("/resource_providers?member_of=" + spelling).then()
                    .body("resource_providers.uuid", containsInAnyOrder(hosts.toArray()));
        }
    }

    @Test
    void treatsSpellingsOfOneUuidAsEqual() {
        String digits = aggregate.replace("-", "");
        String path = "/resource_providers/" + newProvider() + "/aggregates";
        at("1.18", "[\"" + digits + "\", \"" + aggregate + "\"]").put(path).then().statusCode(200)
                .body("aggregates", contains(digits));
        at("1.18").get(path).then().body("aggregates", contains(digits));
        at("1.18", "[\"" + aggregate + "\"]").put(path).then().statusCode(200).body("aggregates", contains(aggregate));
        at("1.18").get(path).then().body("aggregates", contains(aggregate));
        for (String odd : List.of(
                "{" + digits + "}", "urn:" + digits, "{" + digits, "{{" + digits + "}}", "}-" + digits + "-")) {
            at("1.18", "[\"" + odd + "\"]").put(path).then().statusCode(200)
                    .body("aggregates", contains(aggregate));
            at("1.18").get(path).then().body("aggregates", contains(aggregate));
            at("1.39").get("/resource_providers?member_of=" + aggregate).then()
                    .body("resource_providers", hasSize(1));
        }
        for (String longer : List.of("{" + aggregate + "}", "urn:uuid:" + aggregate)) {
            at("1.18", "[\"" + longer + "\"]").put(path).then().statusCode(200).body("aggregates", contains(aggregate));
            at("1.18").get(path).then().body("aggregates", contains(aggregate));
        }
    }

    @Test
    void refusesInvalidListsAndUnknownProviders() {
        String path = "/resource_providers/" + newProvider() + "/aggregates";
        at("1.18", "[\"" + aggregate + "\", \"" + aggregate + "\"]").put(path).then().statusCode(400)
                .body("errors[0].detail", containsString("has non-unique elements"));
        at("1.18", "[\"x\"]").put(path).then().statusCode(400)
                .body("errors[0].detail", containsString("is not a 'uuid'"));
        at("1.18", body(0)).put(path).then().statusCode(400);
        at("1.19", "[]").put(path).then().statusCode(400);
        at("1.39").get("/resource_providers/" + provider + "/aggregates").then().statusCode(404);
        at("1.39", body(0)).put("/resource_providers/" + provider + "/aggregates").then().statusCode(404);
    }

    private String body(int generation) {
        return "{\"aggregates\": [\"" + aggregate + "\"], \"resource_provider_generation\": " + generation + "}";
    }
}
