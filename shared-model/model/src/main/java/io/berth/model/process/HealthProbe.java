package io.berth.model.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks a service on this machine whether it is ready: the command {@code health} of both executables, for containers
 * that have no shell and no curl. Plain HTTP over one socket, so that a probe costs a process little more than its
 * start.
 */
public final class HealthProbe {
    /** The first argument with which a service's executable is this probe. */
    public static final String COMMAND = "health";

    static final int TIMEOUT_MS = 4_000;
    private static final String PATH = "/q/health/ready";
    private static final Set<String> ANY_ADDRESS = Set.of("", "0.0.0.0", "::", "[::]");

    private HealthProbe() {}

    /** Whether these arguments of an executable ask for the probe. */
    public static boolean isMeant(String... args) {
        return args.length == 1 && args[0].equals(COMMAND);
    }

    /**
     * Exit status: 0 when the service answers that it is ready, else 1 and one line on standard error.
     *
     * @param environment QUARKUS_HTTP_HOST and QUARKUS_HTTP_PORT as the service has them; an address that means all of
     *     them is asked at 127.0.0.1
     * @param defaultPort of the service
     */
    public static int run(Map<String, String> environment, int defaultPort) {
        String host = environment.getOrDefault("QUARKUS_HTTP_HOST", "");
        String port = environment.getOrDefault("QUARKUS_HTTP_PORT", String.valueOf(defaultPort));
        Optional<String> refusal;
        try {
            refusal = ask(ANY_ADDRESS.contains(host) ? "127.0.0.1" : host, Integer.parseInt(port));
        } catch (IOException e) {
            refusal = Optional.of(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            refusal = Optional.of("QUARKUS_HTTP_PORT=" + port + " is no port");
        }
        refusal.ifPresent(why -> System.err.println("not ready: " + why));
        return refusal.isEmpty() ? 0 : 1;
    }

    /** Empty when ready. */
    private static Optional<String> ask(String host, int port) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(
                    ("GET " + PATH + " HTTP/1.1\r\nhost: " + host + "\r\nconnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String status = answer.readLine();
            return status != null && status.startsWith("HTTP/1.1 200")
                    ? Optional.empty()
                    : Optional.of("answered " + status);
        }
    }
}
