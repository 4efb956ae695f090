package io.berth.model.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Probes whether a service on this machine is ready: the command {@code health} of both executables, for containers
 * without a shell and curl. The probe uses a plain socket instead of an HTTP client, so that it takes little more than
 * the start of a process. The probe uses the management port if there is one; otherwise the plain port, or the TLS port
 * if the plain port is disabled or only redirects.
 */
public final class HealthProbe {
    /** The command: as the only argument of a service's executable, it runs this probe instead of the service. */
    public static final String COMMAND = "health";

    /** Time limit of the connect and of each read, in milliseconds; if it passes, the service counts as not ready. */
    static final int TIMEOUT_MS = 4_000;
    /** Quarkus' default port for TLS. */
    private static final int TLS_PORT = 8443;
    private static final String READINESS_PATH = "/q/health/ready";
    private static final Set<String> ANY_ADDRESS = Set.of("", "0.0.0.0", "::", "[::]");

    private HealthProbe() {}

    /** Returns whether these arguments of an executable request the probe. */
    public static boolean isRequestedBy(String... args) {
        return args.length == 1 && args[0].equals(COMMAND);
    }

    /**
     * Runs the probe. Returns the exit status: 0 if the service responds that it is ready; otherwise 1, after one line
     * on standard error.
     *
     * @param environment environment variables of the service, of which BERTH_MANAGEMENT_PORT, BERTH_MANAGEMENT_HOST,
     *         QUARKUS_HTTP_HOST, QUARKUS_HTTP_PORT, QUARKUS_HTTP_SSL_PORT and QUARKUS_HTTP_INSECURE_REQUESTS are used;
     *         the probe uses 127.0.0.1 for a wildcard address and without an address
     * @param defaultPort HTTP port of the service if the environment sets none
     */
    public static int run(Map<String, String> environment, int defaultPort) {
        boolean hasManagementPort = !environment.getOrDefault("BERTH_MANAGEMENT_PORT", "").isEmpty();
        boolean usesTls = !hasManagementPort
                && !environment.getOrDefault("QUARKUS_HTTP_INSECURE_REQUESTS", "enabled").equalsIgnoreCase("enabled");
        String serviceHost = environment.getOrDefault("QUARKUS_HTTP_HOST", "");
        String host = hasManagementPort ? environment.getOrDefault("BERTH_MANAGEMENT_HOST", serviceHost) : serviceHost;
        String variable =
                hasManagementPort ? "BERTH_MANAGEMENT_PORT" : usesTls ? "QUARKUS_HTTP_SSL_PORT" : "QUARKUS_HTTP_PORT";
        String port = environment.getOrDefault(variable, String.valueOf(usesTls ? TLS_PORT : defaultPort));
        Optional<String> refusal;
        try {
            refusal = probe(ANY_ADDRESS.contains(host) ? "127.0.0.1" : host, Integer.parseInt(port), usesTls);
        } catch (IOException e) {
            refusal = Optional.of(
                    e.getMessage() + (usesTls ? "; BERTH_MANAGEMENT_PORT gives health a port without TLS" : ""));
        } catch (IllegalArgumentException e) {
            refusal = Optional.of(variable + "=" + port + ": must be a port, 1 to 65535");
        }
        refusal.ifPresent(why -> System.err.println("not ready: " + why));
        return refusal.isEmpty() ? 0 : 1;
    }

    /** Sends one request. Returns the reason why the service is not ready; empty if it is ready. */
    private static Optional<String> probe(String host, int port, boolean usesTls) throws IOException {
        try (var connection = new Socket()) {
            connection.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            connection.setSoTimeout(TIMEOUT_MS);
            Socket socket = usesTls ? startTls(connection, host, port) : connection;
            socket.getOutputStream().write(
                    ("GET " + READINESS_PATH + " HTTP/1.1\r\nhost: " + host + "\r\nconnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var response =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String status = response.readLine();
            return status != null && status.startsWith("HTTP/1.1 200")
                    ? Optional.empty()
                    : Optional.of(status == null ? "connection closed without a response" : "response was " + status);
        }
    }

    private static Socket startTls(Socket connection, String host, int port) throws IOException {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, new TrustManager[] {new TrustEveryCertificate()}, null);
            return tls.getSocketFactory().createSocket(connection, host, port, true);
        } catch (GeneralSecurityException e) {
            throw new SSLException(e);
        }
    }

    /**
     * Trusts any certificate. This is safe, because the service is on this machine and the request contains no secret.
     * It is necessary, because certificates do not name loopback addresses.
     */
    private static final class TrustEveryCertificate implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String how) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String how) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
