package io.berth.deploy.list;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A simulated scheduler. It returns a configured body for each target and 404 for others; it prefers a text body if the
 * client accepts text.
 */
public final class PlayedScheduler implements AutoCloseable {
    private final HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private volatile String outcome;

    private PlayedScheduler(HttpServer server) {
        this.server = server;
    }

    /** @param bodies JSON bodies by target, and text bodies by {@code "text "} and the target */
    public static PlayedScheduler with(Map<String, String> bodies) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var played = new PlayedScheduler(server);
        server.createContext("/", exchange -> {
            String target = exchange.getRequestURI().toString();
            played.asked.add(exchange.getRequestMethod() + " " + target);
            boolean isText = exchange.getRequestHeaders().getFirst("accept").startsWith("text/plain");
            String body = bodies.getOrDefault((isText ? "text " : "") + target, bodies.get(target));
            if (played.outcome != null) {
                exchange.getResponseHeaders().add("berth-answer", played.outcome);
            }
            byte[] bytes = (body == null ? "{\"errors\":[{\"detail\":\"nothing of the kind\"}]}" : body)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return played;
    }

    /** @param outcome the header value of every response from now on */
    public PlayedScheduler answering(String outcome) {
        this.outcome = outcome;
        return this;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<String> asked() {
        return asked;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
