package io.berth.placement.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests CORS: preflight requests, and responses to pages of other origins. */
@Tag("process")
class CorsIT {
    private static final String ORIGIN = "http://dashboard.example";

    private static ServiceProcess service;

    @BeforeAll
    static void start() {
        service = ServiceProcess.start(Path.of(""), Map.of(
                "BERTH_DATABASE_URL", PostgresForTests.url(),
                "BERTH_PLACEMENT_CORS_ALLOWED_ORIGIN", ORIGIN));
        RestAssured.port = URI.create(service.url()).getPort();
    }

    @AfterAll
    static void stop() {
        RestAssured.port = RestAssured.UNDEFINED_PORT;
        service.close();
    }

    private static ValidatableResponse preflight(String origin, String method, String headers) {
        var request = given().header("access-control-request-headers", headers);
        if (origin != null) {
            request.header("origin", origin);
        }
        if (method != null) {
            request.header("access-control-request-method", method);
        }
        return request.options("/resource_providers").then().statusCode(200).header("vary", "origin");
    }

    @Test
    void permitsAnAllowedPreflightRequest() {
        preflight(ORIGIN, "PUT", "Cache-Control, x-auth-token")
                .header("access-control-allow-origin", ORIGIN)
                .header("access-control-allow-credentials", "true")
                .header("access-control-allow-methods", "PUT")
                .header("access-control-allow-headers", "Cache-Control,x-auth-token")
                .header("access-control-max-age", "3600")
                .header("access-control-expose-headers", nullValue());
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "http://evil.example, PUT, x-auth-token",
        ", PUT, x-auth-token",
        "http://dashboard.example, , x-auth-token",
        "http://dashboard.example, TRACE, x-auth-token",
        "http://dashboard.example, put, x-auth-token",
        "http://dashboard.example, PUT, 'x-auth-token, x-else'"})
    void permitsNothingIfAnyPartIsNotAllowed(String origin, String method, String headers) {
        preflight(origin, method, headers)
                .header("access-control-allow-origin", nullValue())
                .header("access-control-allow-credentials", nullValue())
                .header("access-control-allow-methods", nullValue())
                .header("access-control-allow-headers", nullValue())
                .header("access-control-max-age", nullValue());
    }

    @Test
    void exposesHeadersToAllowedOriginsOnly() {
        given().header("origin", ORIGIN).header("x-auth-token", "admin").get("/resource_providers").then()
                .statusCode(200)
                .header("access-control-allow-origin", equalTo(ORIGIN))
                .header("access-control-expose-headers", containsString("x-subject-token"))
                .header("access-control-expose-headers", containsString("location"));
        given().header("origin", "http://evil.example").header("x-auth-token", "admin").get("/resource_providers")
                .then()
                .statusCode(200)
                .header("access-control-allow-origin", nullValue())
                .header("access-control-expose-headers", nullValue());
    }
}
