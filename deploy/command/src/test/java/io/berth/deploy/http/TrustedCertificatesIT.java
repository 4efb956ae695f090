package io.berth.deploy.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code --ca} against an HTTPS server with a self-signed certificate. */
class TrustedCertificatesIT {
    private static final String SECRET = "changeit";

    @TempDir
    Path folder;

    @Test
    void trustsACertificateThatTheJdkDoesNotKnow() throws Exception {
        Path keys = folder.resolve("keys.p12");
        Path pem = folder.resolve("ca.pem");
        keytool("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost", "-ext",
                "SAN=ip:127.0.0.1", "-keystore", keys.toString());
        keytool("-exportcert", "-rfc", "-alias", "server", "-file", pem.toString(), "-keystore", keys.toString());
        HttpsServer server = server(keys);
        try {
            Endpoint target = Endpoint.parse("https://127.0.0.1:" + server.getAddress().getPort());
            new RestClient(target, Credential.token("admin"), TrustedCertificates.load(pem)).requireNewestMicroversion();
            assertThatThrownBy(() -> new RestClient(target, Credential.token("admin"), null).requireNewestMicroversion())
                    .isInstanceOf(ApiFailure.class).hasMessageContaining("SSLHandshakeException");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void refusesAFileWithoutCertificates() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertThatThrownBy(() -> TrustedCertificates.load(empty))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(empty + " has no certificate");
    }

    /** Starts a server that answers as an empty Placement of 1.39. */
    private static HttpsServer server(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, SECRET.toCharArray());
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, SECRET.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            byte[] body = "{\"versions\": [{\"max_version\": \"1.39\"}]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", SECRET, "-storetype", "PKCS12"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
