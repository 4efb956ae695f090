package io.berth.scheduler.placement;

import io.berth.scheduler.http.RequestId;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.PoolOptions;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import io.vertx.core.http.HttpClientRequest;

/**
 * Sends requests to placement over a bounded pool, each with a limit in time, behind one circuit breaker: when
 * half of the last {@value #BREAKER_WINDOW} calls failed, calls fail at once for {@value #BREAKER_OPEN_MS} ms.
 * Reading and deleting may be repeated once; claiming never is.
 */
@Singleton
class PlacementHttp {
    private static final int BREAKER_WINDOW = 20;
    private static final double BREAKER_RATIO = 0.5;
    private static final long BREAKER_OPEN_MS = 1_000;
    private static final int REPEATS_MAX = 1;
    private static final long REPEAT_AFTER_MS = 50;

    private final Vertx vertx;
    private final HttpClient client;
    private final PlacementConfig config;
    private final URI base;
    private final TypedGuard<Uni<Answer>> breaker;
    private final TypedGuard<Uni<Answer>> repeating;

    PlacementHttp(Vertx vertx, PlacementConfig config) {
        this.vertx = vertx;
        this.config = config;
        this.base = parseBase(config.url());
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout((int) config.connectTimeout().toMillis())
                        .setKeepAlive(true)
                        .setPipelining(false)
                        .setMaxInitialLineLength(64 * 1024)
                        .setSsl("https".equals(base.getScheme())),
                new PoolOptions().setHttp1MaxSize(config.connections()).setMaxWaitQueueSize(config.queue()));
        this.breaker = TypedGuard.create(new TypeLiteral<Uni<Answer>>() {})
                .withDescription("placement")
                .withCircuitBreaker()
                .requestVolumeThreshold(BREAKER_WINDOW)
                .failureRatio(BREAKER_RATIO)
                .delay(BREAKER_OPEN_MS, ChronoUnit.MILLIS)
                .done()
                .build();
        this.repeating = TypedGuard.create(new TypeLiteral<Uni<Answer>>() {})
                .withDescription("placement, repeatable")
                .withRetry()
                .maxRetries(REPEATS_MAX)
                .delay(REPEAT_AFTER_MS, ChronoUnit.MILLIS)
                .jitter(REPEAT_AFTER_MS / 2, ChronoUnit.MILLIS)
                .done()
                .build();
    }

    /** Runs a task after so many milliseconds, at least 1. */
    void after(long ms, Runnable task) {
        vertx.setTimer(ms, ignored -> task.run());
    }

    @PreDestroy
    void close() {
        client.close();
    }

    /** For methods that may be sent twice. Fails when there is no answer or placement blames itself (5xx). */
    Uni<Answer> repeatable(HttpMethod method, String path, String microversion, String requestId) {
        return repeating.get(() -> once(method, path, microversion, null, requestId));
    }

    /** Sent at most once. Fails when there is no answer or placement blames itself (5xx). */
    Uni<Answer> once(HttpMethod method, String path, String microversion, Buffer body, String requestId) {
        return breaker.get(() -> send(method, path, microversion, body, requestId));
    }

    private Uni<Answer> send(HttpMethod method, String path, String microversion, Buffer body, String requestId) {
        AtomicReference<HttpClientRequest> open = new AtomicReference<>();
        return Uni.createFrom().<Answer>emitter(emitter -> {
                    emitter.onTermination(() -> {
                        HttpClientRequest request = open.get();
                        if (request != null) {
                            request.reset();
                        }
                    });
                    client.request(options(method, path, microversion, body, requestId))
                            .compose(request -> {
                                open.set(request);
                                return (body == null ? request.send() : request.send(body))
                                        .compose(response -> response.body()
                                                .map(read -> new Answer(response.statusCode(), read)));
                            })
                            .onComplete(done -> {
                                // Nothing to abandon any more: a reset now could hit the connection's next request.
                                open.set(null);
                                if (done.failed()) {
                                    emitter.fail(done.cause());
                                } else if (done.result().status() >= 500) {
                                    emitter.fail(new PlacementAway("placement answered " + done.result().status()));
                                } else {
                                    emitter.complete(done.result());
                                }
                            });
                })
                .ifNoItem().after(config.timeout())
                .failWith(() -> new PlacementAway("no answer within " + config.timeout().toMillis() + " ms"));
    }

    private RequestOptions options(
            HttpMethod method, String path, String microversion, Buffer body, String requestId) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(base.getHost())
                .setPort(port())
                .setSsl("https".equals(base.getScheme()))
                .setURI(base.getRawPath() + path)
                .setTimeout(config.timeout().toMillis())
                .putHeader("x-auth-token", config.token())
                .putHeader("accept", "application/json")
                .putHeader("openstack-api-version", "placement " + microversion)
                .putHeader(RequestId.HEADER, requestId);
        return body == null ? options : options.putHeader("content-type", "application/json");
    }

    private int port() {
        if (base.getPort() > 0) {
            return base.getPort();
        }
        return "https".equals(base.getScheme()) ? 443 : 80;
    }

    private static URI parseBase(String url) {
        URI uri = URI.create(url.strip().replaceAll("/+$", ""));
        if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
            throw new IllegalArgumentException("berth.placement-url must be http://host:port or https://host:port");
        }
        return uri;
    }

    /** An answer below 500. */
    record Answer(int status, Buffer body) {}

    /** Placement does not answer, or answers that it cannot. */
    static final class PlacementAway extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PlacementAway(String why) {
            super(why, null, false, false);
        }
    }
}
