package io.berth.placement.http;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the connection guard behind TLS, where Vert.x adds its handlers only after the handshake. */
@Tag("process")
class ConnectionGuardTlsIT {
    private static final String PASSWORD = "secret-of-the-test";
    private static final String ALIAS = "berth";
    private static final String HEADERS = " HTTP/1.1\r\nHost: berth\r\nx-auth-token: admin\r\n"
            + "openstack-api-version: placement 1.39\r\ncontent-type: application/json\r\n";

    @TempDir
    Path folder;

    @Test
    void guardsHttp11OverTlsAndReloadsARenewedCertificate() throws Exception {
        KeyStore store = keys("first.p12");
        int port = freePort();
        var environment = Map.of(
                "BERTH_DATABASE_URL", PostgresForTests.url(),
                "QUARKUS_HTTP_SSL_PORT", String.valueOf(port),
                "QUARKUS_TLS_RELOAD_PERIOD", "1S",
                "BERTH_TLS_CERTIFICATE", pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()),
                "BERTH_TLS_KEY", pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
        try (var service = ServiceProcess.start(Path.of(""), environment)) {
            try (var client = RawConnection.over(handshaken(port))) {
                client.send("GET /traits?name=in:A" + HEADERS + "\r\n"
                        + "POST /resource_providers" + HEADERS + "Content-Length: 2\r\n\r\n{}"
                        + "POST /resource_providers" + HEADERS + "Transfer-Encoding: chunked\r\n\r\n100000000\r\n\r\n"
                        + "GET /traits" + HEADERS + "\r\n");
                assertThat(client.readResponse().status()).isEqualTo(200);
                assertThat(client.readResponse().body()).contains("JSON does not validate");
                assertThat(client.readResponse().body()).contains("The body has an invalid chunk.");
                assertThat(client.readResponse()).as("another response").isNull();
            }
            assertThat(protocol(port)).isIn("", "http/1.1");
            assertThat(service.errors()).isEmpty();

            KeyStore renewed = keys("renewed.p12");
            pem("CERTIFICATE", renewed.getCertificate(ALIAS).getEncoded());
            pem("PRIVATE KEY", renewed.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
            Certificate expected = renewed.getCertificate(ALIAS);
            eventually("the renewed certificate is served", () -> expected.equals(shown(port)));
        }
    }

    /** Writes a PEM file and returns its path. */
    private String pem(String kind, byte[] content) throws IOException {
        Path file = folder.resolve(kind + ".pem");
        String text = Base64.getMimeEncoder().encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n")
                .toString();
    }

    /** Returns the protocol that is negotiated if a client offers both. */
    private static String protocol(int port) throws IOException, GeneralSecurityException {
        try (var socket = handshaken(port, "h2", "http/1.1")) {
            return socket.getApplicationProtocol();
        }
    }

    /** Connects again if the handshake is refused, as it is while Vert.x loads the new certificate. */
    private static SSLSocket handshaken(int port, String... protocols) throws IOException, GeneralSecurityException {
        while (true) {
            SSLSocket socket = connect(port);
            try {
                var parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(protocols);
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                return socket;
            } catch (SSLHandshakeException once) {
                socket.close();
                assertThat(once).hasMessageContaining("terminated the handshake");
            }
        }
    }

    /** Returns the certificate that is served; null while it is loaded without its key. */
    private static Certificate shown(int port) {
        try (var socket = connect(port)) {
            return socket.getSession().getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException refused) {
            return null;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private KeyStore keys(String name) throws Exception {
        Path file = folder.resolve(name);
        makeKeys(file);
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    private static void makeKeys(Path file) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
                "-alias", ALIAS, "-keyalg", "EC", "-dname", "CN=localhost", "-storetype", "PKCS12",
                "-keystore", file.toString(), "-storepass", PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static SSLSocket connect(int port) throws IOException, GeneralSecurityException {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
        return (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port);
    }

    /** Trusts the certificate, which the test has just made. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
