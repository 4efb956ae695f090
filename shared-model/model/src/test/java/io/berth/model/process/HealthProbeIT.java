package io.berth.model.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthProbeIT {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"HTTP/1.1 200 OK, 0", "HTTP/1.1 503 Service Unavailable, 1", "SSH-2.0-OpenSSH, 1"})
    void believesOnlyAnAnswer200(String statusLine, int exit) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var asked = CompletableFuture.supplyAsync(() -> answerOnce(server, statusLine));
            assertThat(HealthProbe.run(at("0.0.0.0", server.getLocalPort()), 1)).isEqualTo(exit);
            assertThat(asked.get()).isEqualTo("GET /q/health/ready HTTP/1.1");
        }
    }

    @Test
    void isNotReadyWhereNothingListens() throws IOException {
        int port;
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
        }
        assertThat(HealthProbe.run(at("127.0.0.1", port), 1)).isEqualTo(1);
    }

    @Test
    void asksTheServicesOwnPortUnlessToldAnother() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var asked = CompletableFuture.supplyAsync(() -> answerOnce(server, "HTTP/1.1 200 OK"));
            assertThat(HealthProbe.run(Map.of(), server.getLocalPort())).isZero();
            assertThat(asked.get()).startsWith("GET ");
        }
    }

    @ParameterizedTest
    @CsvSource({"none", "70000", "-1", "''"})
    void refusesWhatIsNoPort(String port) {
        assertThat(HealthProbe.run(Map.of("QUARKUS_HTTP_PORT", port), 1)).isEqualTo(1);
    }

    @Test
    void isMeantByOneWordAlone() {
        assertThat(HealthProbe.isMeant("health")).isTrue();
        assertThat(HealthProbe.isMeant()).isFalse();
        assertThat(HealthProbe.isMeant("health", "now")).isFalse();
        assertThat(HealthProbe.isMeant("ready")).isFalse();
    }

    private static Map<String, String> at(String host, int port) {
        return Map.of("QUARKUS_HTTP_HOST", host, "QUARKUS_HTTP_PORT", String.valueOf(port));
    }

    /** The first line of the request. */
    private static String answerOnce(ServerSocket server, String statusLine) {
        try (var connection = server.accept()) {
            var in = new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            String first = in.readLine();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                assertThat(line).contains(": ");
            }
            connection.getOutputStream().write((statusLine + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return first;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
