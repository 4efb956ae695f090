package io.berth.scheduler.placement.http;

import io.berth.context.CallerContext;
import io.berth.identity.http.Breaker;
import io.berth.identity.outgoing.AuthHeader;
import io.berth.identity.outgoing.Credentials;
import io.berth.scheduler.http.RequestId;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quarkus.tls.runtime.config.TlsConfigUtils;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;

/**
 * Sends requests to placement over a bounded pool, each with a limit in time, behind one circuit breaker: when all of
 * the last {@value #BREAKER_WINDOW} calls failed, calls fail at once for {@value #BREAKER_OPEN_MS} ms. Reading and
 * deleting may be repeated once; claiming never is.
 */
@Singleton
class PlacementHttp {
    private static final int BREAKER_WINDOW = 20;
    private static final long BREAKER_OPEN_MS = 1_000;
    /**
     * A connection at rest for longer is closed: when the network has lost them all without a word, each that is left
     * costs somebody a timeout.
     */
    private static final int REST_SECONDS_MAX = 5;
    private static final int REPEATS_MAX = 1;
    private static final long REPEAT_AFTER_MS = 50;

    private final Vertx vertx;
    private final HttpClient client;
    private final PlacementConfig config;
    private final URI base;
    private final Credentials credentials;
    private final TypedGuard<Uni<Answer>> breaker;
    private final TypedGuard<Uni<Answer>> repeating;
    private final PlacementMetrics metrics;

    @Inject
    PlacementHttp(
            Vertx vertx,
            PlacementConfig config,
            PlacementCredentials credentials,
            TlsConfigurationRegistry tls,
            PlacementMetrics metrics) {
        this(vertx, config, credentials.get(), tls.getDefault(), metrics);
    }

    PlacementHttp(Vertx vertx, PlacementConfig config, Credentials credentials, Optional<TlsConfiguration> tls) {
        this(vertx, config, credentials, tls, PlacementMetrics.none());
    }

    private PlacementHttp(
            Vertx vertx,
            PlacementConfig config,
            Credentials credentials,
            Optional<TlsConfiguration> tls,
            PlacementMetrics metrics) {
        this.metrics = metrics;
        this.vertx = vertx;
        this.config = config;
        this.credentials = credentials;
        this.base = parseBase(config.url());
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) config.connectTimeout().toMillis())
                .setKeepAlive(true)
                .setKeepAliveTimeout(REST_SECONDS_MAX)
                .setPipelining(false)
                .setMaxInitialLineLength(64 * 1024);
        tls.ifPresent(configured -> TlsConfigUtils.configure(options, configured));
        this.client = vertx.createHttpClient(
                options.setSsl("https".equals(base.getScheme())),
                new PoolOptions().setHttp1MaxSize(config.connections()).setMaxWaitQueueSize(config.queue()));
        this.breaker = TypedGuard.create(new TypeLiteral<Uni<Answer>>() {})
                .withDescription("placement")
                .withCircuitBreaker()
                .with(Breaker.after(BREAKER_WINDOW, BREAKER_OPEN_MS))
                .onStateChange(metrics::breakerIs)
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

    PlacementMetrics metrics() {
        return metrics;
    }

    /** Runs a task after so many milliseconds, at least 1, unless what it answers is run before. */
    Runnable after(long ms, Runnable task) {
        long timer = vertx.setTimer(ms, ignored -> task.run());
        return () -> vertx.cancelTimer(timer);
    }

    @PreDestroy
    void close() {
        client.close();
    }

    /** For methods that may be sent twice. Fails when there is no answer or placement blames itself (5xx). */
    Uni<Answer> repeatable(HttpMethod method, String path, String microversion, String requestId) {
        return repeatable(method, path, microversion, null, requestId);
    }

    /** The same with a body. */
    Uni<Answer> repeatable(
            HttpMethod method, String path, String microversion, @Nullable Buffer body, String requestId) {
        return repeating.get(() -> once(method, path, microversion, body, requestId));
    }

    /** Sent at most once. Fails when there is no answer or placement blames itself (5xx). See {@link #wasNotSent}. */
    Uni<Answer> once(HttpMethod method, String path, String microversion, Buffer body, String requestId) {
        return once(method, path, microversion, body, requestId, true);
    }

    /** A request that was refused with 401 did nothing: with other credentials it may be sent again. */
    private Uni<Answer> once(
            HttpMethod method, String path, String microversion, Buffer body, String requestId, boolean again) {
        return credentials.header()
                .onFailure().transform(none -> new PlacementAway("no credentials for placement: " + none.getMessage()))
                .chain(auth -> breaker.get(() -> send(method, path, microversion, body, requestId, auth))
                        .chain(answer -> answer.status() == 401 && credentials.refused(auth) && again
                                ? once(method, path, microversion, body, requestId, false)
                                : Uni.createFrom().item(answer)));
    }

    /**
     * A question that may take longer than other calls. Its failures do not count for the circuit breaker, nor does it
     * wait for it: decisions go on without an answer.
     */
    Uni<Answer> question(
            HttpMethod method, String path, String microversion, Buffer body, Duration atMost, String requestId) {
        return credentials.header()
                .onFailure().transform(none -> new PlacementAway("no credentials for placement: " + none.getMessage()))
                .chain(auth -> send(method, path, microversion, body, requestId, auth, atMost));
    }

    private Uni<Answer> send(
            HttpMethod method, String path, String microversion, Buffer body, String requestId, AuthHeader auth) {
        return send(method, path, microversion, body, requestId, auth, config.timeout());
    }

    private Uni<Answer> send(
            HttpMethod method, String path, String microversion, Buffer body, String requestId, AuthHeader auth,
            Duration atMost) {
        AtomicReference<HttpClientRequest> open = new AtomicReference<>();
        long sentNanos = System.nanoTime();
        return Uni.createFrom().<Answer>emitter(emitter -> {
                    emitter.onTermination(() -> {
                        HttpClientRequest request = open.get();
                        if (request != null) {
                            request.reset();
                        }
                    });
                    client.request(options(method, path, microversion, body, requestId, auth, atMost))
                            .compose(request -> {
                                open.set(request);
                                return (body == null ? request.send() : request.send(body))
                                        .compose(response -> response.body()
                                                .map(read -> new Answer(response.statusCode(), read)));
                            })
                            .onComplete(done -> {
                                // Nothing to abandon any more: a reset now could hit the connection's next request.
                                open.set(null);
                                int status = done.failed() ? 0 : done.result().status();
                                metrics.called(path, status, System.nanoTime() - sentNanos);
                                if (done.failed()) {
                                    emitter.fail(done.cause());
                                } else if (done.result().status() >= 500) {
                                    emitter.fail(new PlacementAway("placement answered " + done.result().status()));
                                } else {
                                    emitter.complete(done.result());
                                }
                            });
                })
                .ifNoItem().after(atMost)
                .failWith(() -> new PlacementAway("no answer within " + atMost.toMillis() + " ms"));
    }

    /** Whether placement cannot have seen a call that failed so. */
    static boolean wasNotSent(Throwable failure) {
        return failure instanceof CircuitBreakerOpenException
                || failure instanceof ConnectException
                || failure instanceof ConnectionPoolTooBusyException;
    }

    private RequestOptions options(
            HttpMethod method, String path, String microversion, Buffer body, String requestId, AuthHeader auth,
            Duration atMost) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(base.getHost())
                .setPort(port())
                .setSsl("https".equals(base.getScheme()))
                .setURI(base.getRawPath() + path)
                .setTimeout(atMost.toMillis())
                .putHeader(auth.name(), auth.value())
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
    record Answer(int status, Buffer body) {
        /** Parsing more than this (half a millisecond) is no work for an event loop. */
        private static final int INLINE_BYTES_MAX = 64 * 1024;

        /** What the parser makes of the body: of a long one on a worker, and told where the answer came. */
        <T> Uni<T> read(Supplier<T> parser) {
            Uni<T> parsing = Uni.createFrom().item(parser);
            if (body.length() <= INLINE_BYTES_MAX) {
                return parsing;
            }
            return parsing.runSubscriptionOn(Infrastructure.getDefaultExecutor()).emitOn(CallerContext.executor());
        }
    }

    /** Placement does not answer, or answers that it cannot. */
    static final class PlacementAway extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PlacementAway(String why) {
            super(why, null, false, false);
        }
    }
}
