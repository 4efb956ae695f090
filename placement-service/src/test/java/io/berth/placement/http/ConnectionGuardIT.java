package io.berth.placement.http;

import static io.berth.deploy.process.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends raw requests that no HTTP client library would send. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ConnectionGuardIT {
    private static final String REQUEST_ID = "req-[0-9a-f-]{36}";
    private static final String HOST = "Host: berth\r\n";
    private static final String ADMIN = "x-auth-token: admin\r\nopenstack-api-version: placement 1.39\r\n";
    private static final String JSON = "content-type: application/json\r\n";
    private static final String SMUGGLED = "GET /traits HTTP/1.1\r\n" + HOST + ADMIN + "\r\n";
    private static final int LARGEST_BODY = 16 * 1024 * 1024;

    @TestHTTPResource
    String url;

    @ParameterizedTest
    @ValueSource(strings = {"100000000", "FFFFFFFF00000000", "10000000000000000", "80000000", "-1", "", " 1"})
    void ignoresARequestAfterAnInvalidChunkSize(String size) {
        try (var client = RawConnection.to(url)) {
            client.send("POST /resource_providers HTTP/1.1\r\n" + HOST + ADMIN + JSON
                    + "Transfer-Encoding: chunked\r\n\r\n" + size + "\r\n\r\n" + SMUGGLED);
            assertThatEnvelopeEnds(client, 400);
        }
    }

    @Test
    void refusesContentLengthWithChunkedEncoding() {
        try (var client = RawConnection.to(url)) {
            client.send("POST /resource_providers HTTP/1.1\r\n" + HOST + ADMIN + JSON
                    + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED);
            assertThatEnvelopeEnds(client, 400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "identity", "chunked\r\nTransfer-Encoding: chunked"})
    void refusesUnsupportedTransferEncodings(String coding) {
        try (var client = RawConnection.to(url)) {
            client.send("POST /resource_providers HTTP/1.1\r\n" + HOST + ADMIN + JSON
                    + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n" + SMUGGLED);
            assertThatEnvelopeEnds(client, 400);
        }
    }

    @Test
    void readsChunksOfManySizesAndTheRequestAfterThem() {
        StringBuilder body = new StringBuilder("{\"name\": \"");
        String name = "chunked-" + "x".repeat(100) + System.nanoTime();
        body.append(name).append("\"}").append(" ".repeat(70_000));
        StringBuilder chunks = new StringBuilder();
        for (int at = 0, size = 1; at < body.length(); at += size, size = size * 3 + 1) {
            String chunk = body.substring(at, Math.min(body.length(), at + size));
            chunks.append("%04x;extension=\"1\"\r\n".formatted(chunk.length())).append(chunk).append("\r\n");
        }
        chunks.append("0\r\nTrailer: x\r\n\r\n");
        String head =
                "POST /resource_providers HTTP/1.1\r\n" + HOST + ADMIN + JSON + "Transfer-Encoding: chunked\r\n\r\n";
        try (var client = RawConnection.to(url)) {
            client.send(head + chunks + SMUGGLED);
            var created = client.readResponse();
            assertThat(created.status()).as(created.body()).isEqualTo(200);
            assertThat(created.body()).contains(name);
            assertThat(client.readResponse().body()).startsWith("{\"traits\"");
        }
    }

    /** Large bodies are parsed on another thread than small ones. */
    @ParameterizedTest
    @ValueSource(strings = {
        "PUT /inventories {\"resource_provider_generation\": 0, \"inventories\": {\"VCPU\": {\"total\": 8}}}",
        "PUT /aggregates {\"resource_provider_generation\": 0, \"aggregates\": []}",
        "PUT /traits {\"resource_provider_generation\": 0, \"traits\": [\"COMPUTE_NODE\"]}"})
    void storesTheContentOfLargeBodies(String change) {
        String uuid = UUID.randomUUID().toString();
        given().header("x-auth-token", "admin").contentType("application/json")
                .body("{\"name\": \"%s\", \"uuid\": \"%s\"}".formatted(uuid, uuid) + " ".repeat(70_000))
                .post("/resource_providers").then().statusCode(201);
        String[] words = change.split(" ", 3);
        given().header("x-auth-token", "admin").header("openstack-api-version", "placement 1.39")
                .contentType("application/json").body(words[2] + " ".repeat(70_000))
                .put("/resource_providers/" + uuid + words[1]).then().statusCode(200);
    }

    @Test
    void doesNotSpeakHttp2InPlainText() {
        try (var client = RawConnection.to(url)) {
            client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            assertThatEnvelopeEnds(client, 400);
        }
        try (var client = RawConnection.to(url)) {
            client.send("GET / HTTP/1.1\r\n" + HOST + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }

    static Stream<Arguments> unreadable() {
        String get = "GET /traits HTTP/1.1\r\n";
        return Stream.of(
                Arguments.of("no host", get + ADMIN, 400),
                Arguments.of("two hosts", get + HOST + HOST + ADMIN, 400),
                Arguments.of("a host that is none", get + "Host: a b/c\r\n" + ADMIN, 400),
                Arguments.of("an empty host", get + "Host: \r\n" + ADMIN, 400),
                Arguments.of("a target that is no path", "GET ?x HTTP/1.1\r\n" + HOST + ADMIN, 400),
                Arguments.of("no target", "GET  HTTP/1.1\r\n" + HOST + ADMIN, 400),
                Arguments.of("a version to come", "GET /traits HTTP/3.0\r\n" + HOST + ADMIN, 400),
                Arguments.of("two lengths", get + HOST + ADMIN + "Content-Length: 1\r\nContent-Length: 2\r\n", 400),
                Arguments.of("a length in words", get + HOST + ADMIN + "Content-Length: hi mom\r\n", 400),
                Arguments.of("a length that is none", get + HOST + ADMIN + "Content-Length: +1\r\n", 400),
                Arguments.of("a long line", "GET /traits?name=" + "x".repeat(70_000) + " HTTP/1.1\r\n" + HOST, 414),
                Arguments.of("long headers", get + HOST + ADMIN + "x-long: " + "x".repeat(70_000) + "\r\n", 431));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("unreadable")
    void refusesMalformedRequestsWithAnErrorBody(String name, String head, int status) {
        try (var client = RawConnection.to(url)) {
            client.send(head + "\r\n");
            assertThatEnvelopeEnds(client, status);
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("lenient")
    void acceptsLenientTargetsLikeUpstream(String target, int status, String body) {
        try (var client = RawConnection.to(url)) {
            client.send("GET " + target + " HTTP/1.1\r\n" + HOST + ADMIN + "\r\n");
            var answer = client.readResponse();
            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            assertThat(answer.body()).contains(body);
            assertThat(answer.headers().get("x-openstack-request-id")).matches(REQUEST_ID);
        }
    }

    static Stream<Arguments> lenient() {
        String none = "{\"resource_providers\": []}".replace(" ", "");
        return Stream.of(
                Arguments.of("/resource_providers?name=%zz", 200, none),
                Arguments.of("/resource_providers?name=50%", 200, none),
                Arguments.of("/resource_providers?name=caf\u00c3\u00a9", 200, none),
                Arguments.of("/resource_providers?name=a\"<b>|{c}", 200, none),
                Arguments.of("/resource_providers?name=\u00ff", 400, "Invalid query string"),
                Arguments.of("/resource_providers?na%zzme=1", 400, "na%zzme"),
                Arguments.of("/resource_providers/%zz", 404, "\"status\":404"),
                Arguments.of("/traits/caf\u00c3\u00a9", 404, "\"status\":404"),
                Arguments.of("http://elsewhere/traits?name=in:a", 200, "{\"traits\":[]}"));
    }

    @Test
    void acceptsUnencodedUtf8InTheQuery() {
        String name = "caf\u00e9-" + System.nanoTime();
        given().header("x-auth-token", "admin").contentType("application/json").body("{\"name\": \"" + name + "\"}")
                .post("/resource_providers").then().statusCode(201);
        try (var client = RawConnection.to(url)) {
            client.send("GET /resource_providers?name=" + name.replace("\u00e9", "\u00c3\u00a9") + " HTTP/1.1\r\n"
                    + HOST + ADMIN + "\r\n");
            assertThat(client.readResponse().body()).contains(name);
        }
    }

    @Test
    void acceptsHttp10WithoutAHost() {
        try (var client = RawConnection.to(url)) {
            client.send("GET /traits?name=in:a HTTP/1.0\r\n" + ADMIN + "\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }

    @Test
    void respondsToPipelinedRequestsInOrder() {
        try (var client = RawConnection.to(url)) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < 300; i++) {
                requests.append("GET /traits?name=in:T").append(i).append(" HTTP/1.1\r\n").append(HOST).append(ADMIN)
                        .append("\r\nPOST /resource_classes HTTP/1.1\r\n").append(HOST).append(ADMIN).append(JSON)
                        .append("Content-Length: 3\r\n\r\n[").append(i % 10).append("]");
            }
            client.send(requests.toString());
            for (int i = 0; i < 300; i++) {
                assertThat(client.readResponse().status()).isEqualTo(200);
                assertThat(client.readResponse().status()).isEqualTo(400);
            }
        }
    }

    @Test
    void stopsWorkForClientsThatDisconnected() {
        int sent = 20 * 100;
        // On a slow machine a round may be complete before its clients disconnect, or they disconnect before it is
        // read.
        eventually("few requests of a round get a response", () -> {
            double responses = responsesToClientsThatDisconnect(20, 100);
            return responses >= 1 && responses <= sent / 5.0;
        });
    }

    /** Returns the number of responses to clients that disconnect as soon as they have sent their requests. */
    private double responsesToClientsThatDisconnect(int clients, int requestsEach) {
        String request = "GET /allocation_candidates?resources=VCPU:1 HTTP/1.1\r\n" + HOST + ADMIN + "\r\n";
        double before = metric("berth_http_requests_seconds_count");
        List<RawConnection> leaving = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            leaving.add(RawConnection.to(url).send(request.repeat(requestsEach)));
        }
        leaving.forEach(RawConnection::close);
        eventually("no request is active", () -> metric("berth_http_requests_active") == 0);
        return metric("berth_http_requests_seconds_count") - before;
    }

    /** Returns the sum of the metric over all labels. */
    private static double metric(String name) {
        return given().get("/q/metrics").asString().lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "POST /resource_classes", "PUT /resource_classes/CUSTOM_X", "POST /resource_providers",
        "PUT /resource_providers/{}", "POST /resource_providers/{}/inventories",
        "PUT /resource_providers/{}/inventories", "PUT /resource_providers/{}/inventories/VCPU",
        "PUT /resource_providers/{}/aggregates", "PUT /resource_providers/{}/traits", "PUT /allocations/{}",
        "POST /allocations", "POST /reshaper", "POST /berth/v1/audit", "POST /resource%5Fproviders"})
    void refusesCallersWithoutPermissionBeforeReadingTheBody(String route) {
        String path = route.replace("{}", "4e8e5957-649f-477b-9e5b-f1f75b21c03c");
        for (String body : List.of("Content-Length: 3000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n10000\r\n")) {
            try (var client = RawConnection.to(url)) {
                client.send(path + " HTTP/1.1\r\n" + HOST + JSON
                        + "x-auth-token: somebody\r\nopenstack-api-version: placement 1.6\r\n" + body);
                var answer = client.readResponse();
                // These routes exist from a later microversion only, which is checked first.
                int status = route.endsWith("reshaper") || route.equals("POST /allocations") ? 404 : 403;
                assertThat(answer.status()).as(answer.body()).isIn(403, status);
            }
        }
    }

    @Test
    void acceptsLargeBodiesOnlyOnRoutesThatNeedThem() throws IOException {
        String large = "Content-Length: " + LARGEST_BODY / 2 + "\r\n";
        try (var client = RawConnection.to(url)) {
            client.send("POST /resource_providers HTTP/1.1\r\n" + HOST + ADMIN + JSON + large + "\r\n");
            assertThat(statusIn(client.readResponse())).isEqualTo(413);
        }
        try (var client = RawConnection.to(url)) {
            client.send("POST /allocations HTTP/1.1\r\n" + HOST + ADMIN + JSON + large + "\r\n"
                    + "{}" + " ".repeat(LARGEST_BODY / 2 - 2));
            assertThat(client.readResponse().status()).isEqualTo(400);
        }
        try (var client = RawConnection.to(url)) {
            client.send("POST /allocations HTTP/1.1\r\n" + HOST + ADMIN + JSON
                    + "Content-Length: " + (LARGEST_BODY + 1) + "\r\n\r\n");
            assertThatEnvelopeEnds(client, 413);
        }
        try (var client = RawConnection.to(url)) {
            client.send("POST /resource_providers HTTP/1.1\r\n" + HOST + ADMIN + JSON
                    + "Transfer-Encoding: chunked\r\n\r\n500000\r\n" + " ".repeat(0x500000));
            assertThatEnvelopeEnds(client, 413);
        }
    }

    /** The rest of the body may arrive while the refusal is being sent. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 60_000, 70_000, 90_000, 110_000, 130_000, 300_000, 1_000_000})
    void respondsToARefusedClientThatSendsTheBodyAnyway(int bytes) throws IOException {
        try (var client = RawConnection.to(url)) {
            client.send("PUT /resource_providers/" + UUID.randomUUID() + "/aggregates HTTP/1.1\r\n" + HOST + ADMIN
                    + "OpenStack-API-Version: placement 1.19\r\nContent-Length: " + bytes + "\r\n\r\n"
                    + "x".repeat(bytes));
            var response = client.readResponse();
            assertThat(response).isNotNull();
            assertThat(response.status()).as(response.body()).isEqualTo(400);
        }
    }

    @Test
    void limitsConcurrentLargeBodiesAndStillAcceptsSmallOnes() throws IOException {
        long fitting = Runtime.getRuntime().maxMemory() / 8 / LARGEST_BODY;
        List<RawConnection> reading = new ArrayList<>();
        try {
            for (int i = 0; i <= fitting; i++) {
                reading.add(RawConnection.to(url).send(largest()));
            }
            eventually("a request is answered", () -> reading.stream().anyMatch(RawConnection::hasInput));
            var refused = reading.stream().filter(RawConnection::hasInput).findFirst().orElseThrow().readResponse();
            assertThat(refused.status()).as(refused.body()).isEqualTo(503);
            assertThat(refused.headers().get("retry-after")).isEqualTo("1");
            assertThat(statusIn(refused)).isEqualTo(503);
            given().header("x-auth-token", "admin").contentType("application/json")
                    .body("{\"name\": \"beside-" + System.nanoTime() + "\"}")
                    .post("/resource_providers").then().statusCode(201);
        } finally {
            reading.forEach(RawConnection::close);
        }
        RawConnection.Response read = null;
        while (read == null || read.status() != 400) {
            try (var client = RawConnection.to(url)) {
                read = client.send(largest() + "{}" + " ".repeat(LARGEST_BODY - 2)).readResponse();
            }
        }
    }

    @Test
    void servesProbesAndReadsWhileBodiesUseAllBufferedBytes() throws IOException {
        String body = "PUT /resource_providers/" + UUID.randomUUID() + "/aggregates HTTP/1.1\r\n" + HOST + ADMIN + JSON
                + "Content-Length: " + 64 * 1024 + "\r\n\r\n";
        long fitting = Runtime.getRuntime().maxMemory() / 8 / (64 * 1024);
        List<RawConnection> reading = new ArrayList<>();
        try {
            for (int i = 0; i <= fitting; i++) {
                reading.add(RawConnection.to(url).send(body));
            }
            eventually("a request is answered", () -> reading.stream().anyMatch(RawConnection::hasInput));
            for (String path : List.of("/q/health/live", "/q/health/ready", "/resource_providers?name=nobody")) {
                given().header("x-auth-token", "admin").get(path).then().statusCode(200);
            }
        } finally {
            reading.forEach(RawConnection::close);
        }
    }

    @Test
    void closesConnectionsIfIncompleteHeadsTakeTooMuchMemory() {
        String head = "GET /resource_providers?name=" + "x".repeat(60_000);
        List<RawConnection> begun = new ArrayList<>();
        try {
            List<RawConnection> last = List.of();
            while (last.stream().noneMatch(RawConnection::hasInput)) {
                assertThat((long) begun.size() * head.length()).as("bytes held")
                        .isLessThan(Runtime.getRuntime().maxMemory() / 8);
                last = Stream.generate(() -> RawConnection.to(url).send(head)).limit(50).toList();
                begun.addAll(last);
            }
            given().header("x-auth-token", "admin").get("/resource_providers?name=nobody").then().statusCode(200);
        } finally {
            begun.forEach(RawConnection::close);
        }
        eventually("new requests are accepted again", () -> {
            try (var client = RawConnection.to(url).send(head)) {
                client.send(" HTTP/1.1\r\n" + HOST + ADMIN + "\r\n");
                var answer = client.readResponse();
                return answer != null && answer.status() == 200;
            }
        });
    }

    private static String largest() {
        return "POST /allocations HTTP/1.1\r\n" + HOST + ADMIN + JSON + "Content-Length: " + LARGEST_BODY + "\r\n\r\n";
    }

    /** Asserts one response of this status in the API's error format, then the end of the connection. */
    private static void assertThatEnvelopeEnds(RawConnection client, int status) {
        var answer = client.readResponse();
        assertThat(answer).as("response").isNotNull();
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(statusIn(answer)).isEqualTo(status);
        assertThat(client.readResponse()).as("another response").isNull();
    }

    /** Returns the status in the error body. */
    private static int statusIn(RawConnection.Response answer) {
        try {
            var error = new ObjectMapper().readTree(answer.body()).at("/errors/0");
            assertThat(error.path("request_id").asText())
                    .isEqualTo(answer.headers().get("x-openstack-request-id")).matches(REQUEST_ID);
            return error.path("status").asInt();
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }
}
