package io.berth.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCommandTest {
    @Test
    void aListTooLongForOneQuestionGoesInRangesThatLeaveNobodyOut() {
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

    @Test
    void offersToTakeBackOnlyWhatWasHealed() throws Exception {
        assertThat(healed("{\"id\": null, \"healed\": [], \"skipped\": [{}]}"))
                .isEqualTo("healed: 0 findings, skipped: 1\n");
        assertThat(healed("{\"id\": \"a-1\", \"healed\": [], \"skipped\": []}"))
                .isEqualTo("healed: 0 findings, skipped: 0; berth audit --undo a-1 restores the rows\n");
    }

    /** Whoever heals in a script has to know what is left. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "all | {\"id\": null, \"healed\": [], \"skipped\": []}                        | 0",
        "x   | {\"id\": null, \"healed\": [], \"skipped\": [\"x\"]}                     | 3",
        "x,y | {\"id\": \"a\", \"healed\": [{\"id\": \"y\"}], \"skipped\": [\"x\"]}         | 3",
        "x,y | {\"id\": \"a\", \"healed\": [{\"id\": \"y\"}, {\"id\": \"x\"}], \"skipped\": []} | 0"})
    void saysByItsStatusWhetherAllThatWasNamedIsHealed(String ids, String answer, int status) throws Exception {
        var placement = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        placement.createContext("/berth/v1/audit", exchange -> {
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        placement.start();
        try {
            Said said = Said.by("audit", "--token", "admin", "--placement",
                    "http://127.0.0.1:" + placement.getAddress().getPort(), "--apply", ids);
            assertThat(said.status()).as(said.out() + said.err()).isEqualTo(status);
        } finally {
            placement.stop(0);
        }
    }

    private static String healed(String body) throws Exception {
        JsonNode answer = new ObjectMapper().readTree(body);
        var said = new StringWriter();
        AuditCommand.print(new PrintWriter(said, true), true, answer.path("healed"), answer);
        return said.toString();
    }
}
