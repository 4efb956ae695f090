package io.berth.scheduler.http;

import static io.berth.deploy.process.Await.eventually;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests malformed and oversized requests, which are sent byte by byte over a socket. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class ConnectionGuardIT {
    private static final String HOST = "Host: berth\r\n";
    private static final String ADMIN = "x-auth-token: admin\r\n";
    private static final String GET = "GET /v1/cells HTTP/1.1\r\n";
    private static final String POST = "POST /v1/select_destinations HTTP/1.1\r\n" + HOST + ADMIN
            + "content-type: application/json\r\n";
    private static final String SMUGGLED = "\r\n" + GET + HOST + ADMIN + "\r\n";
    private static final int LARGE_BODY = 8 * 1024 * 1024;

    @TestHTTPResource
    String url;

    static Stream<Arguments> refused() {
        String invalid = "scheduler.request_invalid";
        String chunked = POST + "Transfer-Encoding: chunked\r\n";
        return Stream.of(
                Arguments.of("a chunk of 2^32 bytes", chunked + "\r\n100000000\r\n" + SMUGGLED, invalid),
                Arguments.of("chunks and a length", chunked + "Content-Length: 5\r\n\r\n0\r\n" + SMUGGLED, invalid),
                Arguments.of("another coding", POST + "Transfer-Encoding: gzip\r\n" + SMUGGLED, invalid),
                Arguments.of("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", invalid),
                Arguments.of("no host", GET + ADMIN + "\r\n", invalid),
                Arguments.of("a host that is none", GET + ADMIN + "Host: a b\r\n\r\n", invalid),
                Arguments.of("a target that is no path", "GET ?x HTTP/1.1\r\n" + HOST + "\r\n", invalid),
                Arguments.of("a long line", "GET /" + "x".repeat(70_000) + " HTTP/1.1\r\n\r\n",
                        "scheduler.uri_too_long"),
                Arguments.of("long headers", GET + "x: " + "x".repeat(70_000) + "\r\n\r\n",
                        "scheduler.headers_too_large"),
                Arguments.of("a body beyond all", POST + "Content-Length: 99000000\r\n\r\n",
                        "scheduler.body_too_large"),
                Arguments.of("chunks beyond the route's", chunked + "\r\n800000\r\n" + " ".repeat(LARGE_BODY),
                        "scheduler.body_too_large"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("refused")
    void refusesMalformedRequestsAndClosesTheConnection(String name, String bytes, String code) throws IOException {
        try (var client = RawConnection.to(url)) {
            var answer = client.send(bytes).readResponse();
            assertThat(codeIn(answer)).isEqualTo(code);
            assertThat(client.readResponse()).as("another response").isNull();
        }
    }

    static Stream<Arguments> lenient() {
        return Stream.of(
                Arguments.of("/v1/cells?x=%zz", HOST), Arguments.of("/v1/cells?x=caf\u00c3\u00a9", HOST),
                Arguments.of("http://elsewhere/v1/cells", HOST));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lenient")
    void readsTargetsThatAreNotEncoded(String target, String host) {
        try (var client = RawConnection.to(url)) {
            var answer = client.send("GET " + target + " HTTP/1.1\r\n" + host + ADMIN + "\r\n").readResponse();
            // The route is found, even if it refuses the parameter.
            assertThat(answer.status()).as(answer.body()).isIn(200, 400);
            assertThat(answer.headers().get("x-openstack-request-id")).startsWith("req-");
        }
    }

    @Test
    void acceptsLargeBodiesForSimulationsOnly() throws IOException {
        String length = "Content-Length: " + LARGE_BODY + "\r\n\r\n";
        try (var client = RawConnection.to(url)) {
            assertThat(codeIn(client.send(POST + length).readResponse())).isEqualTo("scheduler.body_too_large");
        }
        try (var client = RawConnection.to(url)) {
            client.send(POST.replace("select_destinations", "simulations") + length + " ".repeat(LARGE_BODY));
            assertThat(codeIn(client.readResponse())).isEqualTo("scheduler.request_invalid");
        }
    }

    /** Sign-in needs no authentication, so any client can send such bodies. */
    @Test
    void signInBodiesHaveASeparateMemoryLimit() throws IOException {
        String signIn = "POST /v1/sign_in HTTP/1.1\r\n" + HOST + "content-type: application/json\r\nContent-Length: ";
        try (var client = RawConnection.to(url)) {
            assertThat(codeIn(client.send(signIn + "65536\r\n\r\n").readResponse()))
                    .isEqualTo("scheduler.body_too_large");
        }
        List<RawConnection> signingIn = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                signingIn.add(RawConnection.to(url).send(signIn + "16384\r\n\r\n"));
            }
            eventually("a request is answered", () -> signingIn.stream().anyMatch(RawConnection::hasInput));
            var refused = signingIn.stream().filter(RawConnection::hasInput).findFirst().orElseThrow().readResponse();
            assertThat(codeIn(refused)).isEqualTo("scheduler.overloaded");
            try (var other = RawConnection.to(url)) {
                assertThat(codeIn(other.send(POST + "Content-Length: 2\r\n\r\n{}").readResponse()))
                        .isEqualTo("scheduler.request_invalid");
            }
        } finally {
            signingIn.forEach(RawConnection::close);
        }
        eventually("another client can sign in", () -> {
            try (var client = RawConnection.to(url)) {
                return client.send(signIn + "2\r\n\r\n{}").readResponse().status() == 400;
            }
        });
    }

    /** Returns the code of the error in the envelope, and checks its request id against the header. */
    private static String codeIn(RawConnection.Response answer) throws IOException {
        assertThat(answer).as("a response").isNotNull();
        var error = new ObjectMapper().readTree(answer.body()).at("/errors/0");
        assertThat(error.path("request_id").asText()).as(answer.body())
                .isEqualTo(answer.headers().get("x-openstack-request-id")).startsWith("req-");
        assertThat(error.path("status").asInt()).isEqualTo(answer.status());
        return error.path("code").asText();
    }
}
