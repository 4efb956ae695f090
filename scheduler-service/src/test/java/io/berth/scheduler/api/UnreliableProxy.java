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

/** Forwards calls between the scheduler and placement, and delays or loses them by a rule of the test. */
final class UnreliableProxy implements AutoCloseable {
    /** The treatment of one call. */
    enum Fate {
        PASSED,
        /** Forwarded after {@value #DELAY_MS} ms. */
        DELAYED,
        /** The request never arrives. */
        REQUEST_LOST,
        /** Placement executes the request, but its response never arrives. */
        ANSWER_LOST
    }

    static final long DELAY_MS = 60;

    private final Vertx vertx = Vertx.vertx();
    private final URI target;
    private final HttpClient client = vertx.createHttpClient();
    private final HttpServer server;
    private final AtomicInteger queries = new AtomicInteger();
    private volatile List<URI> queryTargets;
    private volatile Function<String, Fate> rule = call -> Fate.PASSED;

    UnreliableProxy(String target) {
        this.target = URI.create(target);
        this.queryTargets = List.of(this.target);
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .toCompletionStage().toCompletableFuture().join();
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    /** @param fates returns the fate of a call by its method, path and query, as in {@code "PUT /allocations/..."} */
    void rule(Function<String, Fate> fates) {
        rule = fates;
    }

    /** Sends queries of analyses to these replicas in turn; all other calls go to the original target. */
    void questionsGoTo(String... replicas) {
        queryTargets = Stream.of(replicas).map(URI::create).toList();
    }

    private URI target(HttpServerRequest request) {
        List<URI> replicas = queryTargets;
        return request.path().equals("/berth/v1/what_if")
                ? replicas.get(Math.floorMod(queries.getAndIncrement(), replicas.size()))
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
                .compose(response -> response.body().onSuccess(read -> {
                    if (fate == Fate.ANSWER_LOST) {
                        request.connection().close();
                    } else {
                        request.response().headers().addAll(response.headers());
                        request.response().setStatusCode(response.statusCode()).end(read);
                    }
                }))
                .onFailure(lost -> request.connection().close());
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
