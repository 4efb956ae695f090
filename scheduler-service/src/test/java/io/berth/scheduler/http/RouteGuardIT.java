package io.berth.scheduler.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests authentication, request ids, unknown paths and body limits of the HTTP API. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class RouteGuardIT {
    private static final String REQUEST_ID = "req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

    @TestHTTPResource
    URL url;

    @Test
    void requiresATokenUnderV1() {
        given().get("/v1/cells").then()
                .statusCode(401)
                .contentType("application/json")
                .header("x-openstack-request-id", matchesPattern(REQUEST_ID))
                .body("errors[0].status", equalTo(401))
                .body("errors[0].code", equalTo("scheduler.unauthorized"))
                .body("errors[0].title", equalTo("Unauthorized"))
                .body("errors[0].detail", equalTo("the header x-auth-token is missing"));
    }

    @Test
    void sendsTheSameRequestIdInHeaderAndBody() {
        var answer = given().header("x-auth-token", "admin").get("/v1/nothing/here");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.jsonPath().getString("errors[0].request_id"))
                .isEqualTo(answer.header("x-openstack-request-id"))
                .matches(REQUEST_ID);
    }

    @Test
    void respondsToUnknownPathsWithTheErrorEnvelope() {
        for (String path : new String[] {"/nothing", "/v1/nothing", "/v2", "/v1/decisions/a/b/c"}) {
            given().header("x-auth-token", "admin").get(path).then()
                    .statusCode(404)
                    .contentType("application/json")
                    .body("errors[0].code", equalTo("scheduler.not_found"));
        }
    }

    @Test
    void servesHealthWithoutAToken() {
        given().get("/q/health/live").then().statusCode(200);
    }

    @Test
    void refusesAnAnnouncedBodyThatIsTooLarge() throws IOException {
        String answer = raw("""
                POST /v1/cells HTTP/1.1\r
                Host: localhost\r
                x-auth-token: admin\r
                Content-Type: application/json\r
                Content-Length: 99000000\r
                \r
                """);
        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("\"code\":\"scheduler.body_too_large\"");
    }

    @Test
    void refusesAChunkedBodyThatGrowsTooLarge() throws IOException {
        String chunk = "100000\r\n" + " ".repeat(0x100000) + "\r\n";
        String answer = raw("""
                POST /v1/cells HTTP/1.1\r
                Host: localhost\r
                x-auth-token: admin\r
                Content-Type: application/json\r
                Transfer-Encoding: chunked\r
                \r
                """ + chunk.repeat(17) + "0\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 413 ");
    }

    /** Sends the text unchanged and returns the first bytes of the response. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
            socket.setSoTimeout(300_000);
            OutputStream out = socket.getOutputStream();
            try {
                out.write(request.getBytes(StandardCharsets.US_ASCII));
                out.flush();
            } catch (IOException refusedWhileSending) {
                // The response can still be read.
            }
            byte[] first = new byte[4096];
            int length = socket.getInputStream().read(first);
            return length < 0 ? "" : new String(first, 0, length, StandardCharsets.UTF_8);
        }
    }
}
