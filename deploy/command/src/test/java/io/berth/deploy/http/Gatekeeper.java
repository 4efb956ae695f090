package io.berth.deploy.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Stands before a service and decides what becomes of each request. It is a Keystone too, whose tokens it lets in for
 * so many requests each, and whose catalogue names it as placement. Every second login it cannot serve.
 */
public final class Gatekeeper implements AutoCloseable {
    /** What becomes of a request. */
    public enum Fate {
        ANSWERED,
        /** Answered after a while. */
        SLOW,
        /** Not even sent on. */
        FAILED_500,
        /** The service gets it, the client gets no answer. */
        LOST,
        /** Nobody gets anything, for ever. */
        STUCK,
        /** The service gets nothing, the client the first half of an answer, for ever. */
        STALLED
    }

    private static final String PASSWORD = "s3cret";
    private static final long SLOW_MS = 100;

    private final HttpServer server;
    private final String service;
    private final int requestsOfToken;
    private final Function<Integer, Fate> fates;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> logins = new ConcurrentLinkedQueue<>();
    private int tokens;
    private int left;
    private int count;

    private Gatekeeper(HttpServer server, String service, int requestsOfToken, Function<Integer, Fate> fates) {
        this.server = server;
        this.service = service;
        this.requestsOfToken = requestsOfToken;
        this.fates = fates;
    }

    /**
     * Listens.
     *
     * @param requestsOfToken so many are answered for a token, then it has ended
     * @param fates by the number of the request, from 1 on
     */
    public static Gatekeeper before(String service, int requestsOfToken, Function<Integer, Fate> fates)
            throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var gatekeeper = new Gatekeeper(server, service, requestsOfToken, fates);
        server.createContext("/", gatekeeper::serve);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        return gatekeeper;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** What clouds.yaml says of it, indented as a cloud. */
    public String cloud() {
        return """
                    auth: {auth_url: %s/v3, username: berth, password: %s, project_name: service,
                           user_domain_name: Default, project_domain_name: Default}
                    region_name: here
                """.formatted(url(), PASSWORD);
    }

    /** Method and path of all requests for the service that were let in, in their order. */
    public List<String> seen() {
        return List.copyOf(seen);
    }

    /** Handed out so far. */
    public synchronized int tokens() {
        return tokens;
    }

    /** Bodies of all logins with the right password, in their order. */
    public List<String> logins() {
        return List.copyOf(logins);
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestURI().getPath().equals("/v3/auth/tokens")) {
            issue(exchange, body);
            return;
        }
        Fate fate = let(exchange.getRequestHeaders().getFirst("x-auth-token"));
        if (fate == null) {
            answer(exchange, 401,
                    "{\"errors\": [{\"detail\": \"The request you have made requires authentication.\"}]}");
            return;
        }
        seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        switch (fate) {
            case ANSWERED, SLOW -> {
                pause(fate);
                HttpResponse<String> answer = forward(exchange, body);
                answer(exchange, answer.statusCode(), answer.body());
            }
            case FAILED_500 -> answer(exchange, 500, "<html>Internal Server Error</html>");
            case LOST -> {
                forward(exchange, body);
                exchange.close();
            }
            case STUCK -> {}
            case STALLED -> {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
            }
        }
    }

    private static void pause(Fate fate) {
        try {
            Thread.sleep(fate == Fate.SLOW ? SLOW_MS : 0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Null where the token is none, or has ended. */
    private synchronized Fate let(String token) {
        boolean isGood = "admin".equals(token) || ("token-" + tokens).equals(token) && left-- > 0;
        return isGood ? fates.apply(++count) : null;
    }

    private void issue(HttpExchange exchange, String body) throws IOException {
        if (!body.contains("\"password\":\"" + PASSWORD + "\"")) {
            answer(exchange, 401, "{\"error\": {\"code\": 401, \"message\": \"The password is wrong.\"}}");
            return;
        }
        synchronized (this) {
            logins.add(body);
            if (logins.size() % 2 == 0) {
                answer(exchange, 503, "<html>Service Unavailable</html>");
                return;
            }
            tokens++;
            left = requestsOfToken;
            exchange.getResponseHeaders().add("x-subject-token", "token-" + tokens);
        }
        answer(exchange, 201, """
                {"token": {"expires_at": "2999-01-01T00:00:00.000000Z", "catalog": [{"type": "placement", "endpoints": [
                    {"interface": "public", "region_id": "elsewhere", "url": "http://127.0.0.1:1"},
                    {"interface": "internal", "region_id": "here", "url": "http://127.0.0.1:1"},
                    {"interface": "public", "region_id": "here", "url": "%s"}]}]}}""".formatted(url()));
    }

    private HttpResponse<String> forward(HttpExchange exchange, String body) {
        var request = HttpRequest.newBuilder(URI.create(service + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofString(body))
                .header("x-auth-token", "admin")
                .header("accept", "application/json")
                .header("openstack-api-version", exchange.getRequestHeaders().getFirst("openstack-api-version"));
        if (!body.isEmpty()) {
            request.header("content-type", "application/json");
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("content-type", "application/json");
        // -1 says that there is no body.
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
