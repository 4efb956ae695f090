package io.berth.deploy.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between the browser and one or several services, which receive the requests of a path in turn. It can return
 * fixed responses for a path, as a broken proxy would, or delay responses.
 */
final class Between implements AutoCloseable {
    /** Headers that belong to one connection or that client and server set themselves. */
    private static final Set<String> OWN = Set.of(
            "connection", "content-length", "expect", "host", "upgrade", "transfer-encoding", ":status");

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Answer> fixedResponses = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final Map<String, String> bodies = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> turns = new ConcurrentHashMap<>();
    private final List<String> services;
    private final HttpServer server;

    private record Answer(int status, String type, String body, Map<String, String> headers) {}

    Between(String... services) throws IOException {
        this.services = List.of(services);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String page() {
        return url() + "/ui";
    }

    /** Returns this response for the path from now on, with any query. */
    void answer(String path, int status, String type, String body, Map<String, String> headers) {
        fixedResponses.put(path, new Answer(status, type, body, headers));
    }

    void answer(String path, int status, String json) {
        answer(path, status, "application/json", json, Map.of());
    }

    /** Returns an HTML page for the path, as a gateway does, with any status. */
    void answerHtml(String path, int status) {
        answer(path, status, "text/html", "<!doctype html><title>Gateway</title><p>Please wait.", Map.of());
    }

    /** Delays the responses of the path until {@link #pass}. */
    void hold(String path) {
        held.put(path, new CountDownLatch(1));
    }

    void pass(String path) {
        fixedResponses.remove(path);
        CountDownLatch latch = held.remove(path);
        if (latch != null) {
            latch.countDown();
        }
    }

    /** Returns the last body that was sent to the path; null if there is none. */
    String sentTo(String path) {
        return bodies.get(path);
    }

    private void handle(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        try (call) {
            byte[] body = call.getRequestBody().readAllBytes();
            bodies.put(path, new String(body, StandardCharsets.UTF_8));
            CountDownLatch latch = held.get(path);
            if (latch != null) {
                latch.await();
            }
            Answer answer = fixedResponses.get(path);
            if (answer == null) {
                forward(call, body);
                return;
            }
            call.getResponseHeaders().add("content-type", answer.type());
            answer.headers().forEach(call.getResponseHeaders()::add);
            send(call, answer.status(), answer.body().getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void forward(HttpExchange call, byte[] body) throws IOException, InterruptedException {
        String service = services.get(turns.computeIfAbsent(call.getRequestURI().getPath(), path -> new AtomicInteger())
                .getAndIncrement() % services.size());
        var request = HttpRequest.newBuilder(URI.create(service + call.getRequestURI()))
                .method(call.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        call.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        response.headers().map().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> call.getResponseHeaders().add(name, value));
            }
        });
        send(call, response.statusCode(), response.body());
    }

    private static void send(HttpExchange call, int status, byte[] body) throws IOException {
        call.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            call.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        held.values().forEach(CountDownLatch::countDown);
        server.stop(0);
    }
}
