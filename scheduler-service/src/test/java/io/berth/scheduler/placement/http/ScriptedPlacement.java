package io.berth.scheduler.placement.http;

import io.berth.identity.outgoing.Credentials;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;

/** HTTP server in placement's place that sends prepared responses, one after another. */
public final class ScriptedPlacement implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final LinkedBlockingDeque<Answer> answers = new LinkedBlockingDeque<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final PlacementHttp http;

    private record Answer(int status, String body) {}

    public ScriptedPlacement() {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> answer(request, body.toString())))
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
        http = new PlacementHttp(vertx, new PlacementConfig(
                "http://127.0.0.1:" + server.actualPort(), "admin",
                Duration.ofMinutes(5), Duration.ofMinutes(5), 4, 100), Credentials.token("admin"), Optional.empty());
    }

    private void answer(HttpServerRequest request, String body) {
        seen.add(request.method() + " " + request.uri() + (body.isEmpty() ? "" : " " + body));
        Answer next = answers.poll();
        if (next == null) {
            request.response().setStatusCode(500).end("no response is prepared");
        } else {
            request.response().setStatusCode(next.status()).end(next.body());
        }
    }

    public ScriptedPlacement then(int status, String body) {
        answers.add(new Answer(status, body));
        return this;
    }

    /** Returns method, path and body of every request so far. */
    public List<String> seen() {
        return seen;
    }

    public ResourceProviders resourceProviders() {
        return new ResourceProviders(http);
    }

    public PlacementVocabulary vocabulary() {
        return new PlacementVocabulary(http);
    }

    @Override
    public void close() {
        http.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
