package io.berth.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the request bodies and exit statuses of {@code berth audit}, against an HTTP server that returns fixed
 * findings.
 */
class AuditCommandTest {
    @Test
    void splitsALongListOfConsumersIntoAdjacentRanges() {
        assertThat(AuditCommand.bodies(List.of("a", "b", "c", "d", "e"), List.of("all"), 2)).map(Object::toString)
                .containsExactly(
                        "{\"known_consumers\":[\"a\",\"b\"],\"known_until\":\"c\",\"apply\":\"all\"}",
                        "{\"kinds\":[\"unknown_consumer\"],\"known_from\":\"c\",\"known_consumers\":[\"c\",\"d\"],"
                                + "\"known_until\":\"e\",\"apply\":\"all\"}",
                        "{\"kinds\":[\"unknown_consumer\"],\"known_from\":\"e\",\"known_consumers\":[\"e\"],\"apply\":\"all\"}");
        assertThat(AuditCommand.bodies(List.of("a", "b"), List.of(), 2)).map(Object::toString)
                .containsExactly("{\"known_consumers\":[\"a\",\"b\"]}");
        assertThat(AuditCommand.bodies(null, List.of(), 2)).map(Object::toString).containsExactly("{}");
    }

    /** A script that applies repairs must know from the exit status what is left. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--apply all | 0 | 0",
        "--apply x   | 0 | 3",
        "--apply x,y | 1 | 3",
        "--apply x,y | 2 | 0",
        "--apply x,x | 1 | 0",
        "--json      | 0 | 0",
        "--json      | 1 | 3"})
    void exitStatusShowsWhetherEveryNamedFindingWasRepaired(String options, int findings, int status) throws Exception {
        var placement = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        placement.createContext("/berth/v1/audit", exchange -> {
            boolean isText = exchange.getRequestHeaders().getFirst("accept").startsWith("text/plain");
            byte[] body = (isText ? "the text\n" : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("berth-findings", String.valueOf(findings));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        placement.start();
        try {
            List<String> arguments = new ArrayList<>(List.of("audit", "--token", "admin", "--placement",
                    "http://127.0.0.1:" + placement.getAddress().getPort()));
            arguments.addAll(List.of(options.split(" ")));
            Said result = Said.by(arguments.toArray(String[]::new));
            assertThat(result.status()).as(result.out() + result.err()).isEqualTo(status);
            assertThat(result.out().strip()).isEqualTo(options.equals("--json") ? "{ }" : "the text");
        } finally {
            placement.stop(0);
        }
    }
}
