package io.berth.scheduler.api;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

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
    private final AtomicInteger questions = new AtomicInteger();
    private volatile List<URI> questioned;
    private volatile Function<String, Fate> rule = call -> Fate.PASSED;

    UnreliableProxy(String target) {
        this.target = URI.create(target);
        this.questioned = List.of(this.target);
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /**
     * @param fates given method, path and query of a call, as in {@code "PUT /allocations/..."}, says what becomes of
     *     it
     */
    void rule(Function<String, Fate> fates) {
        rule = fates;
    }

    /** Questions about the fleet go to these replicas, one after the other; all else goes where it went. */
    void questionsGoTo(String... replicas) {
        questioned = Stream.of(replicas).map(URI::create).toList();
    }

    private URI target(HttpServerRequest request) {
        List<URI> replicas = questioned;
        return request.path().equals("/berth/v1/what_if")
                ? replicas.get(Math.floorMod(questions.getAndIncrement(), replicas.size()))
                : target;
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
        URI replica = target(request);
        client
                .request(new RequestOptions()
                        .setMethod(request.method())
                        .setHost(replica.getHost())
                        .setPort(replica.getPort())
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
