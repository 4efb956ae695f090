package io.berth.scheduler.legacy.attestation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** Stand-in for the attestation service on loopback, which answers PollHosts with configured levels. */
public final class AttestationServer implements AutoCloseable {
    /** A call that was received. */
    public record Call(String method, String path, Map<String, List<String>> headers, JsonNode body) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, ObjectNode> entries = new ConcurrentHashMap<>();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String instead;
    private volatile long delayMs;

    private AttestationServer(HttpServer server) {
        this.server = server;
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public static AttestationServer plain() {
        try {
            return new AttestationServer(HttpServer.create(loopback(), 0));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static AttestationServer tls(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new AttestationServer(server);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public AttestationServer says(String node, String level, Instant verified) {
        return says(node, level, verified.toString());
    }

    public AttestationServer says(String node, String level, String verified) {
        entries.put(node, JSON.createObjectNode()
                .put("host_name", node).put("trust_lvl", level).put("vtime", verified));
        return this;
    }

    public void failsWith(int newStatus) {
        status = newStatus;
    }

    public void saysInstead(String text) {
        instead = text;
    }

    public void takes(long milliseconds) {
        delayMs = milliseconds;
    }

    public List<Call> calls() {
        return calls;
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        calls.add(new Call(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                Map.copyOf(exchange.getRequestHeaders()),
                body));
        ObjectNode answer = JSON.createObjectNode();
        var hosts = answer.putArray("hosts");
        body.path("hosts").forEach(node -> {
            if (entries.containsKey(node.textValue())) {
                hosts.add(entries.get(node.textValue()));
            }
        });
        try {
            Thread.sleep(delayMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        byte[] bytes = (instead == null ? answer.toString() : instead).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
