package io.berth.deploy.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Simulates Keystone's API and an OpenID Connect provider over HTTP, as far as signing in requires. It knows Olive, an
 * admin, by her password {@value #PASSWORD} in the project demo, and signs in every visitor of its page as Olive.
 * Sources: Identity API v3; RFC 6749, 4.1; RFC 7636, 4.6; RFC 7662.
 */
final class IdentityPeer implements AutoCloseable {
    static final String PASSWORD = "correct horse";
    static final String CLIENT_SECRET = "page+secret";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SERVICE_TOKEN = "service-token";
    private static final String OLIVES_TOKEN = "token-of-olive";

    private final HttpServer server;
    /** The parameters of each code, which is valid once. */
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();

    IdentityPeer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v3/auth/tokens", this::keystone);
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.createContext("/introspect", this::introspect);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void keystone(HttpExchange call) throws IOException {
        if (call.getRequestMethod().equals("GET")) {
            boolean known = OLIVES_TOKEN.equals(call.getRequestHeaders().getFirst("x-subject-token"));
            answer(call, known ? 200 : 404, known ? described("olive") : "{}");
            return;
        }
        JsonNode auth = JSON.readTree(call.getRequestBody()).path("auth");
        String user = auth.at("/identity/password/user/name").asText();
        boolean right = auth.at("/identity/password/user/password").asText().equals(PASSWORD)
                && auth.at("/identity/password/user/domain/name").asText().equals("Default")
                && auth.at("/scope/project/name").asText().equals(user.equals("berth") ? "service" : "demo");
        if (right) {
            call.getResponseHeaders().add("x-subject-token", user.equals("berth") ? SERVICE_TOKEN : OLIVES_TOKEN);
            answer(call, 201, described(user));
        } else {
            answer(call, 401,
                    "{\"error\": {\"code\": 401, \"message\": \"The request you have made requires"
                            + " authentication.\"}}");
        }
    }

    private static String described(String user) {
        return """
                {"token": {"user": {"id": "%s", "name": "%1$s"}, "project": {"id": "demo"}, "roles": [{"name": "admin"}], "expires_at": "%s"}}
                """.formatted(user, Instant.now().plusSeconds(3_600));
    }

    /** Serves the provider's page for signing in. */
    private void authorize(HttpExchange call) throws IOException {
        Map<String, String> grant = form(call.getRequestURI().getRawQuery());
        String code = "code-" + codes.size();
        codes.put(code, grant);
        String back = grant.get("redirect_uri") + "#state=" + grant.get("state") + "&code=" + code;
        call.getResponseHeaders().add("content-type", "text/html");
        answer(call, 200, "<!doctype html><html lang=en><title>Provider</title><a id=agree href='" + back
                + "'>Sign in as Olive</a>");
    }

    private void token(HttpExchange call) throws IOException {
        Map<String, String> form = form(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> grant = codes.remove(form.get("code"));
        String pair = Base64.getEncoder().encodeToString(
                ("page:" + CLIENT_SECRET.replace("+", "%2B")).getBytes(StandardCharsets.UTF_8));
        boolean right = grant != null && ("Basic " + pair).equals(call.getRequestHeaders().getFirst("authorization"))
                && "S256".equals(grant.get("code_challenge_method"))
                && Objects.equals(grant.get("code_challenge"), sha256(form.get("code_verifier")))
                && Objects.equals(grant.get("redirect_uri"), form.get("redirect_uri"));
        answer(call, right ? 200 : 400, right
                ? "{\"access_token\": \"" + OLIVES_TOKEN + "\", \"token_type\": \"Bearer\", \"expires_in\": 3600}"
                : "{\"error\": \"invalid_grant\", \"error_description\": \"the code is not good\"}");
    }

    private void introspect(HttpExchange call) throws IOException {
        Map<String, String> form = form(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        answer(call, 200, OLIVES_TOKEN.equals(form.get("token"))
                ? "{\"active\": true, \"sub\": \"olive\", \"project_id\": \"demo\", \"scope\": \"admin\", \"aud\":"
                        + " \"berth\", \"exp\": "
                        + Instant.now().plusSeconds(3_600).getEpochSecond() + "}"
                : "{\"active\": false}");
    }

    private static String sha256(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, String> form(String text) {
        Map<String, String> form = new HashMap<>();
        for (String pair : text.split("&")) {
            String[] parts = pair.split("=", 2);
            form.put(decoded(parts[0]), decoded(parts[1]));
        }
        return form;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange call, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.getResponseHeaders().putIfAbsent("content-type", java.util.List.of("application/json"));
        call.sendResponseHeaders(status, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
