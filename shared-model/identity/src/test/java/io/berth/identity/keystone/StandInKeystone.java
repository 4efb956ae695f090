package io.berth.identity.keystone;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stand-in for Keystone over HTTP. The first word of a token, up to the dash, selects the response: {@code good},
 * {@code system}, {@code slow} (200 ms), {@code held} (until {@code GET /release}; {@code GET /held} counts them),
 * {@code silent}, {@code failing}, {@code forbidden}, {@code garbage}, {@code empty}, {@code huge}, {@code ahead}
 * (good, but expired by the local clock), {@code proxy} (the response of a proxy), {@code ends} (good, and expires in
 * the second that is its second word); any other token is unknown. A login of the user {@code proxy-STATUS} gets the
 * response of a proxy. {@code GET /asked/TOKEN} returns how often a token was validated; {@code GET /revoke/TOKEN} and
 * {@code GET /revoke-service} revoke a token or the service's own token. Limits of the service are generous unless a
 * test sets others.
 */
public final class StandInKeystone implements QuarkusTestResourceLifecycleManager {
    /** A day, so that tokens stay valid whatever time a test lets pass. */
    private static final int LIFE_SECONDS = 86_400;

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Integer> validations = new HashMap<>();
    private final Map<String, Boolean> revoked = new HashMap<>();
    private final List<HttpServerResponse> held = new ArrayList<>();
    private int issued;
    private HttpServer server;
    private Map<String, String> limits = Map.of();

    @Override
    public void init(Map<String, String> stated) {
        limits = stated;
    }

    @Override
    public Map<String, String> start() {
        server = vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        String url = "http://127.0.0.1:" + server.actualPort();
        Map<String, String> configuration = new HashMap<>(Map.of(
                "stand-in.url", url,
                "berth.auth.strategy", "keystone",
                "berth.auth.keystone.url", url + "/identity",
                "berth.auth.keystone.username", "berth",
                "berth.auth.keystone.password", "pass\"word",
                "berth.auth.keystone.cache-time", "10M",
                "berth.auth.keystone.timeout", "5M",
                "berth.auth.keystone.connections", "100"));
        configuration.putAll(limits);
        return configuration;
    }

    @Override
    public void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void answer(HttpServerRequest request) {
        String path = request.path();
        if (path.startsWith("/asked/")) {
            request.response().end(String.valueOf(validations.getOrDefault(path.substring(7), 0)));
        } else if (path.startsWith("/revoke/")) {
            revoked.put(path.substring(8), true);
            request.response().end();
        } else if (path.equals("/held")) {
            request.response().end(String.valueOf(held.size()));
        } else if (path.equals("/release")) {
            held.forEach(answer -> answer.end(description("\"project\": {\"id\": \"p1\"},", LIFE_SECONDS)));
            held.clear();
            request.response().end();
        } else if (path.equals("/revoke-service")) {
            issued++;
            request.response().end();
        } else if (!path.equals("/identity/v3/auth/tokens")) {
            request.response().setStatusCode(404).end();
        } else if (request.method() == HttpMethod.POST) {
            request.body().onSuccess(body -> login(request, body.toString()));
        } else if (!("service-" + issued).equals(request.getHeader("x-auth-token"))) {
            request.response().setStatusCode(401).end();
        } else {
            validate(request, request.getHeader("x-subject-token"));
        }
    }

    private void login(HttpServerRequest request, String body) {
        boolean right = body.contains("\"name\":\"berth\"") && body.contains("\"password\":\"pass\\\"word\"")
                && body.contains("\"scope\":{\"project\":{\"name\":\"service\",\"domain\":{\"name\":\"Default\"}}}");
        if (body.contains("\"name\":\"proxy-")) {
            int status = Integer.parseInt(body.replaceFirst("(?s).*\"name\":\"proxy-([0-9]+).*", "$1"));
            request.response().setStatusCode(status).putHeader("content-type", "text/html").end("<html>No</html>");
            return;
        }
        if (body.contains("\"name\":\"two-factors\"")) {
            request.response().setStatusCode(401).putHeader("openstack-auth-receipt", "r").end(
                    "{\"receipt\": {\"methods\": [\"password\"]}, \"required_auth_methods\": [[\"password\","
                            + " \"totp\"]]}");
            return;
        }
        if (!right) {
            request.response().setStatusCode(401).end("{\"error\": {\"code\": 401, \"message\": "
                    + "\"The request you have made requires authentication.\", \"title\": \"Unauthorized\"}}");
            return;
        }
        issued++;
        request.response().setStatusCode(201).putHeader("x-subject-token", "service-" + issued).end(
                "{\"token\": {\"expires_at\": \"" + Instant.now().plusSeconds(LIFE_SECONDS) + "\"}}");
    }

    private void validate(HttpServerRequest request, String token) {
        validations.merge(token, 1, Integer::sum);
        if (revoked.containsKey(token)) {
            unknown(request);
            return;
        }
        switch (token.split("-")[0]) {
            case "good" -> request.response().end(description("\"project\": {\"id\": \"p1\"},", LIFE_SECONDS));
            case "system" -> request.response().end(description("\"system\": {\"all\": true},", LIFE_SECONDS));
            case "ahead" -> request.response().end(description("", -LIFE_SECONDS));
            case "ends" -> request.response().end(description(
                    "\"project\": {\"id\": \"p1\"},", Instant.ofEpochSecond(Long.parseLong(token.split("-")[1]))));
            case "slow" -> vertx.setTimer(200,
                    timer -> request.response().end(description("\"project\": {\"id\": \"p1\"},", LIFE_SECONDS)));
            case "held" -> held.add(request.response());
            case "silent" -> {}
            case "failing" -> request.response().setStatusCode(500).end();
            case "forbidden" -> request.response().setStatusCode(403).end();
            case "garbage" -> request.response().end("{\"token\": {\"user\": [");
            case "empty" -> request.response().end("{\"token\": {}}");
            case "huge" -> request.response().end(" ".repeat(2 << 20) + description("", LIFE_SECONDS));
            case "proxy" -> request.response().setStatusCode(404).end("404 page not found\n");
            default -> unknown(request);
        }
    }

    private static void unknown(HttpServerRequest request) {
        request.response().setStatusCode(404).end(
                "{\"error\": {\"code\": 404, \"message\": \"Could not recognize Fernet token\", \"title\": \"Not"
                        + " Found\"}}");
    }

    private static String description(String scope, int lifeSeconds) {
        return description(scope, Instant.now().plusSeconds(lifeSeconds));
    }

    private static String description(String scope, Instant expiry) {
        return """
                {"token": {"methods": ["password"], "user": {"id": "u1", "name": "joe", "domain": {"id": "default"}},
                 %s "roles": [{"id": "1", "name": "Reader"}, {"id": "2", "name": "member"}], "expires_at": "%s"}}
                """.formatted(scope, expiry);
    }
}
