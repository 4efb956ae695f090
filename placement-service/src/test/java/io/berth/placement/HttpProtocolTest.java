package io.berth.placement;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class HttpProtocolTest {
    @Test
    void tellsItsVersionsWithoutIdentity() {
        given().get("/").then()
                .statusCode(200)
                .header("openstack-api-version", "placement 1.0")
                .header("last-modified", nullValue())
                .header("x-openstack-request-id", matchesPattern("req-[0-9a-f-]{36}"))
                .body("versions[0].max_version", equalTo("1.39"))
                .body("versions[0].id", equalTo("v1.0"));
    }

    @Test
    void sendsCacheHeadersFrom1Dot15() {
        given().header("openstack-api-version", "placement 1.15").get("/").then()
                .header("cache-control", "no-cache")
                .header("last-modified", matchesPattern("\\w{3}, \\d\\d \\w{3} \\d{4} [\\d:]{8} GMT"));
    }

    @Test
    void refusesAVersionItDoesNotHaveAndTellsWhichItHas() {
        given().header("openstack-api-version", "placement 1.40").get("/").then()
                .statusCode(406)
                .body("errors[0].title", equalTo("Not Acceptable"))
                .body("errors[0].detail", containsString("Unacceptable version header: 1.40"))
                .body("errors[0].max_version", equalTo("1.39"))
                .body("errors[0].min_version", equalTo("1.0"))
                .body("errors[0]", not(hasKey("code")));
    }

    @Test
    void refusesAVersionThatIsNone() {
        given().header("openstack-api-version", "placement pony.horse").get("/").then()
                .statusCode(400).body("errors[0].detail", containsString("invalid version string: pony.horse"));
    }

    @Test
    void wantsATokenEverywhereElse() {
        given().get("/resource_providers").then().statusCode(401).body("title", equalTo("Unauthorized"));
    }

    @Test
    void answersUnknownPathsInTheEnvelope() {
        given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.23").get("/barnabas")
                .then()
                .statusCode(404)
                .body("errors[0].status", equalTo(404))
                .body("errors[0].code", equalTo("placement.undefined_code"))
                .body("errors[0].request_id", matchesPattern("req-.*"));
    }

    @Test
    void answersUnknownMethodsWithTheKnown() {
        for (String method : new String[] {"DELETE", "OPTIONS", "HEAD"}) {
            given().header("x-auth-token", "admin").request(method, "/").then().statusCode(405).header("allow", "GET");
        }
        given().header("x-auth-token", "admin").request("OPTIONS", "/").then()
                .body("errors[0].detail", containsString("The method OPTIONS is not allowed for this resource."));
    }

    @Test
    void showsErrorsAsHtmlToWhomPrefersIt() {
        given().header("accept", "text/html").header("openstack-api-version", "placement 0.5").get("/").then()
                .statusCode(406).contentType(containsString("text/html"))
                .body(containsString("Unacceptable version header: 0.5"));
    }

    @Test
    void isReadyOnceTheFleetIsLoaded() {
        given().get("/q/health/ready").then()
                .statusCode(200)
                .body("checks.find { it.name == 'fleet' }.status", equalTo("UP"));
    }
}
