package io.berth.placement;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests microversions, identity headers, errors and routing over HTTP. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class HttpProtocolIT {
    @Test
    void returnsItsVersionsWithoutAToken() {
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
    void refusesAnUnsupportedVersionAndReportsTheSupportedOnes() {
        given().header("openstack-api-version", "placement 1.40").get("/").then()
                .statusCode(406)
                .body("errors[0].title", equalTo("Not Acceptable"))
                .body("errors[0].detail", containsString("Unacceptable version header: 1.40"))
                .body("errors[0].max_version", equalTo("1.39"))
                .body("errors[0].min_version", equalTo("1.0"))
                .body("errors[0]", not(hasKey("code")));
    }

    @ParameterizedTest(name = "\"{0}\" means {1}")
    @CsvSource(quoteCharacter = '"', value = {
        "placement 1.39,              1.39",
        "PLACEMENT 1.39,              1.39",
        "placement 1. 5,              1.5",
        "placement +1.+5,             1.5",
        "placement 1.007,             1.7",
        "placement 1.1_0,             1.10",
        "placement latest,            1.39",
        "compute 2.1,                 1.0",
        "placement,                   1.0",
        "\"compute 2.1, placement 1.4\",  1.4",
        "\"placement 1.3, placement 1.4\", 1.4"})
    void parsesVersionsAsLenientlyAsUpstream(String header, String version) {
        given().header("openstack-api-version", header).get("/").then()
                .statusCode(200).header("openstack-api-version", equalTo("placement " + version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.40", "-1.1", "1.-1", "2.0", "0.9", "1.99999999999999999999", "1_0.1_0"})
    void refusesVersionsOutsideItsRange(String version) {
        given().header("openstack-api-version", "placement " + version).get("/").then().statusCode(406);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.", "1", ".5", "1.1.1", "1.5 x", "1.x", "1._5", "1.1_", "1.1__0"})
    void refusesVersionsThatAreNotTwoNumbers(String version) {
        given().header("openstack-api-version", "placement " + version).get("/").then().statusCode(400);
    }

    @Test
    void refusesAVersionWithoutNumbers() {
        given().header("openstack-api-version", "placement pony.horse").get("/").then()
                .statusCode(400).body("errors[0].detail", containsString("invalid version string: pony.horse"));
    }

    @Test
    void requiresATokenForOtherRoutes() {
        given().get("/resource_providers").then().statusCode(401).body("title", equalTo("Unauthorized"));
    }

    @Test
    void combinesRepeatedIdentityHeaders() {
        given().header("x-auth-token", "admin", "bob").get("/resource_providers").then().statusCode(403);
        given().header("x-auth-token", "joe").header("x-roles", "reader", "admin").get("/resource_providers").then()
                .statusCode(200);
        usagesOf("pp", "x-project-id", "pp", "qq").statusCode(403);
        usagesOf("pp,qq", "x-project-id", "pp", "qq").statusCode(200);
    }

    @Test
    void systemScopeIgnoresTheProjectOfTheToken() {
        usagesOf("pp", "openstack-system-scope").statusCode(200);
        usagesOf("pp", "openstack-system-scope", "").statusCode(200);
        usagesOf("pp", "openstack-system-scope", "all").statusCode(403);
        usagesOf("pp", "openstack-system-scope", "cell1").statusCode(403);
    }

    /** Reads the usages of a project; a reader may read only those of its own project. */
    private static ValidatableResponse usagesOf(String project, String header, String... lines) {
        var request = given().header("openstack-api-version", "placement 1.38")
                .header("x-auth-token", "joe:pp").header("x-roles", "reader");
        for (String line : lines) {
            request.header(header, line);
        }
        return request.get("/usages?project_id=" + project).then();
    }

    @Test
    void returnsTheErrorEnvelopeForUnknownPaths() {
        given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.23").get("/barnabas")
                .then()
                .statusCode(404)
                .body("errors[0].status", equalTo(404))
                .body("errors[0].code", equalTo("placement.undefined_code"))
                .body("errors[0].request_id", matchesPattern("req-.*"));
    }

    @Test
    void returnsTheAllowedMethodsForUnsupportedMethods() {
        for (String method : new String[] {"DELETE", "OPTIONS", "HEAD"}) {
            given().header("x-auth-token", "admin").request(method, "/").then().statusCode(405).header("allow", "GET");
        }
        given().header("x-auth-token", "admin").request("OPTIONS", "/").then()
                .body("errors[0].detail", containsString("The method OPTIONS is not allowed for this resource."));
    }

    /** Routing alone would treat these as unknown paths, because an endpoint with a shorter path matches first. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "usages|GET", "aggregates|GET, PUT", "allocations|GET", "traits|GET, PUT, DELETE",
        "inventories|GET, POST, PUT, DELETE", "inventories/VCPU|GET, PUT, DELETE", "%75sages|GET"})
    void returnsTheAllowedMethodsOfSubresources(String part, String methods) {
        for (String method : new String[] {"PATCH", "OPTIONS", "HEAD"}) {
            given().urlEncodingEnabled(false).header("x-auth-token", "admin")
                    .request(method, "/resource_providers/7e6e6e0c-0001-4000-8000-000000000001/" + part).then()
                    .statusCode(405).header("allow", methods);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/resource_providers;a=b", "/traits/HW_CPU_X86_VMX;a", "/resource_providers;a/x/usages",
        "/resource_providers/"})
    void refusesMatrixParametersAndTrailingSlashes(String path) {
        given().urlEncodingEnabled(false).header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39").get(path).then()
                .statusCode(404).body("errors[0].title", equalTo("Not Found"));
    }

    /** REST Assured merges two slashes into one, so this test uses another client. */
    @Test
    void refusesEmptyPathSegments() throws Exception {
        var url = URI.create("http://localhost:" + RestAssured.port + "/traits//HW_CPU_X86_VMX");
        var request = HttpRequest.newBuilder(url).header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39").build();
        try (var client = HttpClient.newHttpClient()) {
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void treatsAnInvalidAcceptAsAnyTypeAndRefusesOtherTypes() {
        for (String any : new String[] {"*/*", "", ";", "*; q=.2", "application/json;q=2", "application/json/x"}) {
            given().header("x-auth-token", "admin").header("accept", any).get("/resource_providers").then()
                    .statusCode(200).contentType("application/json");
        }
        for (String other : new String[] {"text/html", "application/json;q=0", "application/json;charset=utf-8", "*/json",
            ","}) {
            given().header("x-auth-token", "admin").header("accept", other).get("/resource_providers").then()
                    .statusCode(406);
        }
    }

    @Test
    void combinesRepeatedAcceptHeaders() {
        given().header("x-auth-token", "admin").header("accept", "text/html", "application/json")
                .get("/resource_providers")
                .then().statusCode(200).contentType("application/json");
    }

    @Test
    void returnsErrorsAsHtmlIfPreferred() {
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

    @Test
    void ignoresForwardedHeadersUnlessTheProxyIsTrusted() {
        given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .header("host", "api.example:8778").header("forwarded", "proto=https;host=evil.example")
                .header("x-forwarded-proto", "https").header("x-forwarded-host", "evil.example")
                .header("x-forwarded-prefix", "/evil")
                .put("/traits/CUSTOM_UNTRUSTED_PROXY").then()
                .header("location", equalTo("http://api.example:8778/traits/CUSTOM_UNTRUSTED_PROXY"));
    }
}
