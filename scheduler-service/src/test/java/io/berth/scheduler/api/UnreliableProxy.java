package io.berth.scheduler.api;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.function.Function;

/** Stands between the scheduler and placement and loses requests or answers when told to. */
final class UnreliableProxy implements AutoCloseable {
    /** What becomes of one call. */
    enum Fate {
        PASSED,
        /** After {@value #DELAY_MS} ms. */
        DELAYED,
        /** The request never arrives. */
        REQUEST_LOST,
        /** Placement does what is asked; its answer never arrives. */
        ANSWER_LOST
    }

    static final long DELAY_MS = 60;

    private final Vertx vertx = Vertx.vertx();
    private final URI target;
    private final HttpClient client = vertx.createHttpClient();
    private final HttpServer server;
    private volatile Function<String, Fate> rule = call -> Fate.PASSED;

    UnreliableProxy(String target) {
        this.target = URI.create(target);
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** @param fates given method, path and query of a call, as in {@code "PUT /allocations/..."}, says what becomes of it */
    void rule(Function<String, Fate> fates) {
        rule = fates;
    }

    void cut() {
        rule(call -> Fate.REQUEST_LOST);
    }

    void restore() {
        rule(call -> Fate.PASSED);
    }

    private void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            Fate fate = rule.apply(request.method() + " " + request.uri());
            if (fate == Fate.REQUEST_LOST) {
                request.connection().close();
            } else {
                if (fate == Fate.DELAYED) {
                    vertx.setTimer(DELAY_MS, ignored -> forward(request, body, fate));
                } else {
                    forward(request, body, fate);
                }
            }
        });
    }

    private void forward(HttpServerRequest request, Buffer body, Fate fate) {
        client
                .request(new RequestOptions()
                        .setMethod(request.method())
                        .setHost(target.getHost())
                        .setPort(target.getPort())
                        .setURI(request.uri())
                        .setHeaders(request.headers()))
                .compose(sent -> sent.send(body))
                .compose(answer -> answer.body().onSuccess(read -> {
                    if (fate == Fate.ANSWER_LOST) {
                        request.connection().close();
                    } else {
                        request.response().headers().addAll(answer.headers());
                        request.response().setStatusCode(answer.statusCode()).end(read);
                    }
                }))
                .onFailure(lost -> request.connection().close());
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
