package io.berth.deploy.load.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** HTTP/1.1 connections to one service, kept alive if the service permits. One event loop serves all of them. */
public final class ClientConnections implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** The longest wait for a response. OpenStack's Placement takes half a minute at 32 connections and 5,000 hosts. */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMinutes(3);

    private final Target target;
    private final Context loop;
    private final HttpClient client;
    private final int connections;

    public ClientConnections(Vertx vertx, Target target, int connections) {
        this.target = target;
        this.loop = vertx.getOrCreateContext();
        this.connections = connections;
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis())
                        .setTcpNoDelay(true),
                new PoolOptions().setHttp1MaxSize(connections));
    }

    public int connections() {
        return connections;
    }

    /** Returns the context of the event loop on which requests are sent and responses are judged. */
    Context loop() {
        return loop;
    }

    /**
     * Sends a request. Must be called on {@link #loop}, with at most {@link #connections} requests in progress: further
     * requests would wait in the client's queue, and this wait would count as latency of the service.
     *
     * @return the response; a failure if there was none
     */
    Future<Response> send(Exchange exchange) {
        var options = new RequestOptions()
                .setMethod(exchange.method())
                .setHost(target.host())
                .setPort(target.port())
                .setURI(target.prefix() + exchange.path())
                .setTimeout(RESPONSE_TIMEOUT.toMillis())
                .setHeaders(headers(exchange.body() != null));
        return client.request(options)
                .compose(request -> exchange.body() == null ? request.send() : request.send(exchange.body()))
                .compose(response -> receive(exchange, response));
    }

    /**
     * Sends a request and waits for its response. Returns a response with status 0 if there was none. Must not be
     * called on an event loop.
     */
    public Response call(Exchange exchange) throws InterruptedException {
        Promise<Response> response = Promise.promise();
        loop.runOnContext(_ -> send(exchange).onComplete(response));
        try {
            return response.future().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            return new Response(0, 0, null, null);
        }
    }

    private MultiMap headers(boolean hasBody) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap()
                .add("x-auth-token", target.token())
                .add("openstack-api-version", "placement 1.39")
                .add("accept", "application/json");
        return hasBody ? headers.add("content-type", "application/json") : headers;
    }

    private static Future<Response> receive(Exchange exchange, HttpClientResponse response) {
        String timing = response.getHeader("server-timing");
        if (exchange.keepsBody()) {
            return response.body().map(body -> new Response(response.statusCode(), body.length(), body, timing));
        }
        long[] bytes = new long[1];
        response.handler(part -> bytes[0] += part.length());
        return response.end().map(_ -> new Response(response.statusCode(), bytes[0], null, timing));
    }

    @Override
    public void close() {
        client.close();
    }
}
