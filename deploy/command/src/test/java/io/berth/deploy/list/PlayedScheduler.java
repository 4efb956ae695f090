package io.berth.deploy.list;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers each target with what it was given for it, and others with 404. */
final class PlayedScheduler implements AutoCloseable {
    private final HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private PlayedScheduler(HttpServer server) {
        this.server = server;
    }

    static PlayedScheduler with(Map<String, String> bodies) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var played = new PlayedScheduler(server);
        server.createContext("/", exchange -> {
            String target = exchange.getRequestURI().toString();
            played.asked.add(exchange.getRequestMethod() + " " + target);
            String body = bodies.get(target);
            byte[] bytes = (body == null ? "{\"errors\":[{\"detail\":\"nothing of the kind\"}]}" : body)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return played;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<String> asked() {
        return asked;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
