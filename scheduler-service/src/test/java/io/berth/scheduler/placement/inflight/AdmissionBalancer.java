package io.berth.scheduler.placement.inflight;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proxy that sends requests for Berth's own routes to the replicas of placement in turn, and all others to the first.
 */
public final class AdmissionBalancer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = vertx.createHttpClient();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger askedForTrees = new AtomicInteger();
    private final String[] replicas;
    private final HttpServer server;

    public AdmissionBalancer(String... replicas) {
        this.replicas = replicas;
        this.server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> pass(request, body)))
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
    }

    public String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** Returns the number of requests for trees that the scheduler lacked. */
    public int askedForTrees() {
        return askedForTrees.get();
    }

    private void pass(HttpServerRequest request, Buffer body) {
        boolean isBerthRoute = request.path().startsWith("/berth/");
        if (request.path().endsWith("/provider_trees")) {
            askedForTrees.incrementAndGet();
        }
        int turn = isBerthRoute ? turns.getAndIncrement() % replicas.length : 0;
        client
                .request(new RequestOptions()
                        .setMethod(request.method())
                        .setAbsoluteURI(replicas[turn] + request.uri())
                        .setHeaders(request.headers()))
                .compose(passed -> passed.send(body))
                .compose(answer -> answer.body().onSuccess(content -> {
                    request.response().setStatusCode(answer.statusCode());
                    request.response().headers().setAll(answer.headers());
                    request.response().end(content);
                }))
                .onFailure(lost -> request.connection().close());
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
