package io.berth.model.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the health probe against small HTTP and TLS servers. */
class HealthProbeIT {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"HTTP/1.1 200 OK, 0", "HTTP/1.1 503 Service Unavailable, 1", "SSH-2.0-OpenSSH, 1"})
    void succeedsOnlyForStatus200(String statusLine, int exit) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var requestLine = CompletableFuture.supplyAsync(() -> answerOnce(server, statusLine));
            assertThat(HealthProbe.run(at("0.0.0.0", server.getLocalPort()), 1)).isEqualTo(exit);
            assertThat(requestLine.get()).isEqualTo("GET /q/health/ready HTTP/1.1");
        }
    }

    @Test
    void usesTheManagementPortWithoutTlsIfThereIsOne() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var requestLine = CompletableFuture.supplyAsync(() -> answerOnce(server, "HTTP/1.1 200 OK"));
            assertThat(HealthProbe.run(Map.of("QUARKUS_HTTP_PORT", "1", "QUARKUS_HTTP_INSECURE_REQUESTS", "disabled",
                    "BERTH_MANAGEMENT_PORT", String.valueOf(server.getLocalPort())), 1)).isZero();
            assertThat(requestLine.get()).startsWith("GET ");
        }
    }

    @ParameterizedTest(name = "client certificates wanted: {0}")
    @CsvSource({"false, 0", "true, 1"})
    void usesTlsIfPlainHttpIsNotServed(boolean wantsCertificates, int exit, @TempDir Path folder)
            throws Exception {
        try (var server = (SSLServerSocket) withKeyMadeIn(folder).getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setNeedClientAuth(wantsCertificates);
            var requestLine = CompletableFuture.supplyAsync(() -> answerOnce(server, "HTTP/1.1 200 OK"));
            assertThat(HealthProbe.run(Map.of("QUARKUS_HTTP_PORT", "1", "QUARKUS_HTTP_INSECURE_REQUESTS", "redirect",
                    "QUARKUS_HTTP_SSL_PORT", String.valueOf(server.getLocalPort())), 1)).isEqualTo(exit);
            assertThat(requestLine.handle((line, _) -> line).get())
                    .isEqualTo(wantsCertificates ? null : "GET /q/health/ready HTTP/1.1");
        }
    }

    /** Creates a context with a self-signed certificate. */
    private static SSLContext withKeyMadeIn(Path folder) throws Exception {
        Path file = folder.resolve("keys");
        assertThat(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg", "EC", "-dname", "CN=elsewhere.example", "-storepass", "password", "-keystore",
                file.toString())
                .inheritIO().start().waitFor()).isZero();
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(file.toFile(), "password".toCharArray()), "password".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        return tls;
    }

    @Test
    void failsIfNothingListens() throws IOException {
        int port;
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
        }
        assertThat(HealthProbe.run(at("127.0.0.1", port), 1)).isEqualTo(1);
    }

    @Test
    void usesTheDefaultPortOfTheServiceUnlessConfigured() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var requestLine = CompletableFuture.supplyAsync(() -> answerOnce(server, "HTTP/1.1 200 OK"));
            assertThat(HealthProbe.run(Map.of(), server.getLocalPort())).isZero();
            assertThat(requestLine.get()).startsWith("GET ");
        }
    }

    @ParameterizedTest
    @CsvSource({"none", "70000", "-1", "''"})
    void failsForAnInvalidPort(String port) {
        assertThat(HealthProbe.run(Map.of("QUARKUS_HTTP_PORT", port), 1)).isEqualTo(1);
    }

    @Test
    void isRequestedByTheSingleArgumentHealth() {
        assertThat(HealthProbe.isRequestedBy("health")).isTrue();
        assertThat(HealthProbe.isRequestedBy()).isFalse();
        assertThat(HealthProbe.isRequestedBy("health", "now")).isFalse();
        assertThat(HealthProbe.isRequestedBy("ready")).isFalse();
    }

    private static Map<String, String> at(String host, int port) {
        return Map.of("QUARKUS_HTTP_HOST", host, "QUARKUS_HTTP_PORT", String.valueOf(port));
    }

    /** Responds to one request, and returns its first line. */
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
