package io.berth.identity.oidc;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.KeyPair;
import java.util.Map;

/**
 * Stand-in for an OpenID provider over HTTP: discovery, keys, and introspection of opaque tokens. The first word of a
 * token selects the response: {@code good}, {@code other} (for another service), {@code failing}, {@code silent}
 * (never); any other token is inactive. A code is {@code good}, {@code proxy-STATUS} (the response of a proxy), or the
 * error with which it is refused. {@code GET /asked/TOKEN} returns how often a token was introspected.
 */
public final class StandInProvider implements QuarkusTestResourceLifecycleManager {
    static final KeyPair KEYS = SignedToken.newKeys();
    /** A day, so that opaque tokens stay valid whatever time a test lets pass. */
    private static final long LIFE_SECONDS = 86_400;
    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Integer> introspections = new java.util.concurrent.ConcurrentHashMap<>();
    private HttpServer server;
    private String url;

    @Override
    public Map<String, String> start() {
        server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        url = "http://127.0.0.1:" + server.actualPort();
        return Map.of(
                "stand-in.url", url,
                "berth.auth.strategy", "oidc",
                "quarkus.oidc.auth-server-url", url,
                "quarkus.oidc.client-id", "berth",
                "quarkus.oidc.credentials.secret", "secret",
                "quarkus.oidc.token.audience", "berth",
                "berth.auth.oidc.timeout", "10S",
                "quarkus.oidc.roles.role-claim-path", "roles");
    }

    @Override
    public void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void answer(HttpServerRequest request) {
        String path = request.path();
        if (path.startsWith("/asked/")) {
            request.response().end(String.valueOf(introspections.getOrDefault(path.substring(7), 0)));
        } else if (path.equals("/.well-known/openid-configuration")) {
            json(request, new JsonObject().put("issuer", url).put("jwks_uri", url + "/keys")
                    .put("token_endpoint", url + "/token").put("introspection_endpoint", url + "/introspect"));
        } else if (path.equals("/keys")) {
            json(request, new JsonObject().put("keys", new JsonArray().add(SignedToken.publicKey(KEYS, "k1"))));
        } else if (path.equals("/introspect")) {
            request.body().onSuccess(body -> introspect(request, body.toString()));
        } else if (path.equals("/token")) {
            request.body().onSuccess(
                    body -> exchange(request, body.toString().replaceFirst("^(?:.*&)?code=([^&]*).*$", "$1")));
        } else {
            request.response().setStatusCode(404).end();
        }
    }

    private static void exchange(HttpServerRequest request, String code) {
        if (code.equals("good")) {
            json(request, new JsonObject().put("access_token", "t").put("expires_in", 60));
        } else if (code.startsWith("proxy-")) {
            request.response().setStatusCode(Integer.parseInt(code.substring(6))).end("<html>No</html>");
        } else {
            request.response().setStatusCode(code.equals("invalid_client") ? 401 : 400);
            json(request, new JsonObject().put("error", code).put("error_description", "because"));
        }
    }

    private void introspect(HttpServerRequest request, String form) {
        String token = form.replaceFirst("^(?:.*&)?token=([^&]*).*$", "$1");
        introspections.merge(token, 1, Integer::sum);
        switch (token.replaceFirst("-.*", "")) {
            case "good" -> json(request, new JsonObject().put("active", true).put("sub", "u2").put("project_id", "p2")
                    .put("roles", new JsonArray().add("reader")).put("scope", "reader")
                    .put("aud", "berth").put("exp", System.currentTimeMillis() / 1_000 + LIFE_SECONDS));
            case "other" -> json(request, new JsonObject().put("active", true).put("sub", "u2").put("project_id", "p2")
                    .put("roles", new JsonArray().add("reader")).put("scope", "reader")
                    .put("aud", "another").put("exp", System.currentTimeMillis() / 1_000 + LIFE_SECONDS));
            case "failing" -> request.response().setStatusCode(500).end();
            case "silent" -> {}
            // A signed token: it is active if its key is not published yet.
            default -> json(request, new JsonObject().put("active", SignedToken.keyOf(token).equals("k2"))
                    .put("exp", System.currentTimeMillis() / 1_000 + LIFE_SECONDS));
        }
    }

    private static void json(HttpServerRequest request, JsonObject body) {
        request.response().putHeader("content-type", "application/json").end(body.encode());
    }
}
