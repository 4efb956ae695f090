package io.berth.placement.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the addresses that clients see, with a path prefix and with the headers of a trusted proxy. */
@Tag("process")
class BehindProxyIT {
    private static ServiceProcess service;

    @BeforeAll
    static void start() {
        service = ServiceProcess.start(Path.of(""), Map.of(
                "BERTH_DATABASE_URL", PostgresForTests.url(),
                "BERTH_PLACEMENT_PATH_PREFIX", "/placement/",
                "BERTH_PLACEMENT_OSLO_MIDDLEWARE_ENABLE_PROXY_HEADERS_PARSING", "true"));
        RestAssured.port = URI.create(service.url()).getPort();
    }

    @AfterAll
    static void stop() {
        RestAssured.port = RestAssured.UNDEFINED_PORT;
        service.close();
    }

    private static RequestSpecification admin() {
        return given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .contentType("application/json");
    }

    private static String provider(UUID uuid) {
        return "{\"name\": \"" + uuid + "\", \"uuid\": \"" + uuid + "\"}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"/placement", "/placement/", "/"})
    void returnsVersionsWithAndWithoutThePrefix(String path) {
        given().urlEncodingEnabled(false).get(path).then()
                .statusCode(200).body("versions[0].max_version", equalTo("1.39"));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "/placement/resource_providers?name=nobody, 200",
        "/placement/allocation_candidates?resources=VCPU:1, 200",
        "/placement/placement/resource_providers, 404",
        "/placements/resource_providers, 404",
        "/placement/q/health/ready, 404",
        "/placement//q/health/ready, 404",
        "/placement/%71/health/ready, 404",
        "/placement/./q/health/ready, 404",
        "/placement/../q/health/ready, 404",
        "/q/health/live, 200"})
    void acceptsThePrefixOnceAndOnlyBeforeApiPaths(String path, int status) {
        admin().urlEncodingEnabled(false).get(path).then().statusCode(status);
    }

    @Test
    void requiresATokenUnderThePrefix() {
        given().get("/placement/resource_providers").then().statusCode(401);
    }

    @Test
    void returnsLocationAndLinksWithThePrefixOfTheRequest() {
        UUID uuid = UUID.randomUUID();
        admin().header("host", "api.example:8780").body(provider(uuid)).post("/placement/resource_providers").then()
                .statusCode(200)
                .header("location", equalTo("http://api.example:8780/placement/resource_providers/" + uuid))
                .body("links.href", everyItem(startsWith("/placement/resource_providers/" + uuid)));
        admin().get("/resource_providers/" + uuid).then()
                .body("links.href", everyItem(startsWith("/resource_providers/" + uuid)));
        admin().get("/placement/resource_classes").then()
                .body("resource_classes.links.href.flatten()", everyItem(startsWith("/placement/resource_classes/")));
    }

    @Test
    void buildsLocationAndLinksFromForwardedHeaders() {
        UUID uuid = UUID.randomUUID();
        admin().header("x-forwarded-proto", "https").header("x-forwarded-host", "api.example:8443")
                .header("x-forwarded-prefix", "/cloud")
                .body(provider(uuid)).post("/resource_providers").then()
                .statusCode(200)
                .header("location", equalTo("https://api.example:8443/cloud/resource_providers/" + uuid))
                .body("links.href", everyItem(startsWith("/cloud/resource_providers/" + uuid)));
    }

    @Test
    void buildsEveryLocationFromForwardedHeaders() {
        UUID uuid = UUID.randomUUID();
        admin().body(provider(uuid)).post("/resource_providers").then().statusCode(200);
        String start = "https://api.example/cloud/";
        RequestSpecification proxied = admin().header("forwarded", "for=192.0.2.1;proto=https;host=api.example:443")
                .header("x-forwarded-prefix", "/cloud/");
        proxied.put("/traits/CUSTOM_BEHIND_PROXY").then().header("location", startsWith(start + "traits/"));
        proxied.put("/resource_classes/CUSTOM_BEHIND_PROXY").then()
                .header("location", startsWith(start + "resource_classes/"));
        proxied.body("{\"resource_class\": \"VCPU\", \"total\": 1, \"resource_provider_generation\": 0}")
                .post("/resource_providers/" + uuid + "/inventories").then()
                .statusCode(201)
                .header("location", equalTo(start + "resource_providers/" + uuid + "/inventories/VCPU"));
    }
}
