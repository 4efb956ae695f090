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
 * An HTTP proxy in front of a service that decides the fate of each request. It also acts as Keystone: its tokens are
 * valid for a fixed number of requests, and its catalog names the proxy as placement. Every second login fails with
 * 503.
 */
public final class Gatekeeper implements AutoCloseable {
    /** How the proxy treats a request. */
    public enum Fate {
        ANSWERED,
        /** Forwarded after a delay. */
        SLOW,
        /** Refused with 500 and not forwarded. */
        FAILED_500,
        /** Forwarded, but the client gets no response. */
        LOST,
        /** Neither forwarded nor answered; the connection stays open. */
        STUCK,
        /** Not forwarded; the client gets the first half of a response and the connection stays open. */
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
     * Starts the proxy.
     *
     * @param requestsOfToken the number of requests for which a token is valid
     * @param fates the fate of a request by its number, counted from 1
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

    /** Returns the proxy's entry for clouds.yaml, indented as a cloud. */
    public String cloud() {
        return """
                    auth: {auth_url: %s/v3, username: berth, password: %s, project_name: service,
                           user_domain_name: Default, project_domain_name: Default}
                    region_name: here
                """.formatted(url(), PASSWORD);
    }

    /** Returns the method and path of all admitted requests for the service, in order. */
    public List<String> seen() {
        return List.copyOf(seen);
    }

    /** Returns the number of tokens issued so far. */
    public synchronized int tokens() {
        return tokens;
    }

    /** Returns the bodies of all logins with the right password, in order. */
    public List<String> logins() {
        return List.copyOf(logins);
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestURI().getPath().equals("/v3/auth/tokens")) {
            issue(exchange, body);
            return;
        }
        Fate fate = admit(exchange.getRequestHeaders().getFirst("x-auth-token"));
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

    /** Returns null if the token is invalid or has expired. */
    private synchronized Fate admit(String token) {
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
        // -1 means no body.
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
