package io.berth.scheduler.placement.http;

import io.berth.context.CallerContext;
import io.berth.identity.StartRefusal;
import io.berth.identity.http.BoundedHttp;
import io.berth.identity.http.Breaker;
import io.berth.identity.outgoing.AuthHeader;
import io.berth.identity.outgoing.Credentials;
import io.berth.scheduler.http.RequestId;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;

/**
 * Sends requests to placement over a bounded connection pool, each with a time limit. All requests but those of
 * {@link #question} and {@link #questionToReplica} share a circuit breaker: if the last {@value #BREAKER_WINDOW} calls
 * all failed, further calls fail at once for {@value #BREAKER_OPEN_MS} ms. After a failure, only {@link #repeatable}
 * requests are retried, once. After a 401, every request is sent once more if its credentials can be renewed (those of
 * the strategies {@code token} and {@code basic} cannot): a request that was refused for its credentials has changed
 * nothing.
 */
@Singleton
class PlacementHttp {
    private static final int BREAKER_WINDOW = 20;
    private static final long BREAKER_OPEN_MS = 1_000;
    /**
     * The body of one response may have at most the size of the heap divided by this, and less than 2 GiB; a longer one
     * fails the call. Candidates on 10,000 hosts without child providers have 5 MB, on 10,000 trees of four providers
     * 14 MB.
     */
    private static final int ANSWER_HEAP_PART = 8;
    private static final String BERTH_ROUTES = "/berth/v1/";
    /** Retries of a {@link #repeatable} request. */
    private static final int REPEATS_MAX = 1;
    /** Mean pause before such a retry, in milliseconds; it varies at random by up to half of this. */
    private static final long REPEAT_AFTER_MS = 50;

    private final Vertx vertx;
    private final BoundedHttp http;
    private final BoundedHttp singleConnection;
    private final PlacementConfig config;
    private final Credentials credentials;
    private final TypedGuard<Uni<Response>> breaker;
    private final TypedGuard<Uni<Response>> retry;
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
        this.http = client(vertx, config, tls, config.connections());
        this.singleConnection = client(vertx, config, tls, 1);
        this.breaker = TypedGuard.create(new TypeLiteral<Uni<Response>>() {})
                .withDescription("placement")
                .withCircuitBreaker()
                .with(Breaker.after(BREAKER_WINDOW, BREAKER_OPEN_MS))
                .onStateChange(metrics::setBreaker)
                .done()
                .build();
        this.retry = TypedGuard.create(new TypeLiteral<Uni<Response>>() {})
                .withDescription("placement, repeatable")
                .withRetry()
                .maxRetries(REPEATS_MAX)
                .delay(REPEAT_AFTER_MS, ChronoUnit.MILLIS)
                .jitter(REPEAT_AFTER_MS / 2, ChronoUnit.MILLIS)
                .done()
                .build();
    }

    private static BoundedHttp client(
            Vertx vertx, PlacementConfig config, Optional<TlsConfiguration> tls, int connections) {
        return new BoundedHttp(vertx, BoundedHttp.trusting(tls), base(config.url()), new BoundedHttp.Limits(
                config.timeout(), config.connectTimeout(), connections, config.queue(), answerBytesMax()));
    }

    private static int answerBytesMax() {
        return (int) Math.min(Runtime.getRuntime().maxMemory() / ANSWER_HEAP_PART, Integer.MAX_VALUE);
    }

    PlacementMetrics metrics() {
        return metrics;
    }

    /**
     * Runs a task on an event loop after a delay. The returned action cancels the task.
     *
     * @param ms delay in milliseconds, at least 1
     */
    Runnable after(long ms, Runnable task) {
        long timer = vertx.setTimer(ms, ignored -> task.run());
        return () -> vertx.cancelTimer(timer);
    }

    @PreDestroy
    void close() {
        http.close();
        singleConnection.close();
    }

    /**
     * Sends a request without a body whose repetition is harmless, and retries it once after a failure. Fails like
     * {@link #once} if the retry fails.
     */
    Uni<Response> repeatable(HttpMethod method, String path, String microversion, String requestId) {
        return repeatable(method, path, microversion, null, requestId);
    }

    /** Like {@link #repeatable(HttpMethod, String, String, String)}, for a request with a body; null for none. */
    Uni<Response> repeatable(
            HttpMethod method, String path, String microversion, @Nullable Buffer body, String requestId) {
        return retry.get(() -> once(method, path, microversion, body, requestId));
    }

    /**
     * Sends a request, without a retry after a failure. Fails if the circuit breaker is open, if no credentials can be
     * obtained, if there is no complete response in time, on 408, 429 and 5xx, and on a redirect or error (3xx, 4xx)
     * that does not come from placement ({@link #isFromPlacement}). {@link #wasNotSent} returns whether a failure shows
     * that placement did not receive the request.
     */
    Uni<Response> once(
            HttpMethod method, String path, String microversion, @Nullable Buffer body, String requestId) {
        return write(method, path, microversion, body, null, requestId);
    }

    /**
     * Like {@link #once}, for a write of allocations.
     *
     * @param number value of the header Berth-Fence; null for none
     */
    Uni<Response> write(
            HttpMethod method, String path, String microversion, @Nullable Buffer body, @Nullable Long number,
            String requestId) {
        return withCredentials(auth -> {
            Map<String, String> headers = headers(microversion, requestId, auth, body != null);
            if (number != null) {
                headers.put("berth-fence", number.toString());
            }
            return breaker.get(() -> send(http, method, path, headers, body, config.timeout()));
        }, true);
    }

    /**
     * Sends a query of an operator, such as an audit, which may take longer than other calls. It ignores the circuit
     * breaker: decisions do not depend on such queries, so their failures must not stop calls of decisions.
     *
     * @param atMost time limit
     */
    Uni<Response> question(
            HttpMethod method, String path, String microversion, @Nullable Buffer body, Duration atMost,
            String requestId) {
        return withCredentials(auth -> send(
                http, method, path, headers(microversion, requestId, auth, body != null), body, atMost), true);
    }

    /**
     * Like {@link #question}, for consecutive queries that must reach the same replica of placement. They are sent one
     * at a time over one connection that no other call uses, so that a load balancer that chooses the replica per
     * connection always chooses the same.
     *
     * @param isLast true to close the connection after this query, so that the next query may reach another replica
     */
    Uni<Response> questionToReplica(
            HttpMethod method, String path, String microversion, Buffer body, Duration atMost, boolean isLast,
            String requestId) {
        return withCredentials(auth -> {
            Map<String, String> headers = headers(microversion, requestId, auth, true);
            if (isLast) {
                headers.put("connection", "close");
            }
            return send(singleConnection, method, path, headers, body, atMost);
        }, true);
    }

    /**
     * Sends a request, and after a 401 once more if {@link Credentials#renewAfterRefusal} returns that this may
     * succeed.
     */
    private Uni<Response> withCredentials(Function<AuthHeader, Uni<Response>> sending, boolean isRetryAllowed) {
        return credentials.header()
                .onFailure().transform(
                        none -> new PlacementUnavailable("no credentials for placement: " + none.getMessage()))
                .chain(auth -> sending.apply(auth)
                        .chain(answer -> answer.status() == 401 && credentials.renewAfterRefusal(auth) && isRetryAllowed
                                ? withCredentials(sending, false)
                                : Uni.createFrom().item(answer)));
    }

    private static Map<String, String> headers(String microversion, String requestId, AuthHeader auth,
            boolean hasBody) {
        Map<String, String> headers = new HashMap<>(Map.of(
                auth.name(), auth.value(),
                "accept", "application/json",
                "openstack-api-version", "placement " + microversion,
                RequestId.HEADER, requestId));
        if (hasBody) {
            headers.put("content-type", "application/json");
        }
        return headers;
    }

    private Uni<Response> send(
            BoundedHttp client, HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body,
            Duration atMost) {
        long sentNanos = System.nanoTime();
        return client.send(method, path, headers, body, atMost)
                .onTermination().invoke((answer, failure, cancelled) -> metrics.recordCall(
                        path, answer == null ? 0 : answer.status(), System.nanoTime() - sentNanos))
                .onFailure(BoundedHttp.NoResponse.class).transform(none -> new PlacementUnavailable(why(none)))
                .map(answer -> {
                    int status = answer.status();
                    if (status >= 500 || status == 408 || status == 429) {
                        throw new PlacementUnavailable("placement answered " + status);
                    }
                    if (status >= 300 && !isFromPlacement(status, path, answer.body())) {
                        throw new PlacementUnavailable("another server answered in place of placement with " + status
                                + ": check berth.placement-url and the proxies before it");
                    }
                    return new Response(status, answer.body());
                });
    }

    /**
     * Returns whether a redirect or error comes from placement itself, not from a proxy: its body is an error body of
     * placement. Any 401 and 403 counts, too: {@link Response#credentialsRefusal} reports it. For a route of Berth, any
     * 404 or 405 counts, because OpenStack's Placement does not know the route.
     */
    private static boolean isFromPlacement(int status, String path, Buffer body) {
        boolean isUnknownRoute = status == 404 || status == 405;
        return status == 401
                || status == 403
                || (isUnknownRoute && path.startsWith(BERTH_ROUTES))
                || PlacementRefusal.isErrorBody(body.getBytes());
    }

    /**
     * Returns whether an exception shows that placement did not receive the call: the circuit breaker is open, there is
     * no connection, or too many calls wait for one. Any other failure counts as received, to be safe.
     */
    static boolean wasNotSent(Throwable failure) {
        return failure instanceof CircuitBreakerOpenException
                || failure instanceof ConnectException
                || failure instanceof ConnectionPoolTooBusyException;
    }

    private static URI base(String url) {
        try {
            return BoundedHttp.parseBase(url);
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because("berth.placement-url=" + url + ": " + e.getMessage());
        }
    }

    /** Returns the reason for a failure, for error messages. */
    static String why(Throwable failure) {
        // The exception of a timeout has no message.
        return failure.getMessage() == null ? "no answer in time" : failure.getMessage();
    }

    /** A response of placement, with any status below 500 except 408 and 429. */
    record Response(int status, Buffer body) {
        /** Largest body that is parsed on an event loop, in bytes; it takes about 0.5 ms. */
        private static final int INLINE_BYTES_MAX = 64 * 1024;

        /** Returns an error message if placement refuses the scheduler's credentials (401, 403); null otherwise. */
        @Nullable String credentialsRefusal() {
            return status == 401 || status == 403
                    ? "placement refuses the scheduler's credentials (" + status + "): check berth.placement-token or"
                            + " berth.placement-auth, and placement's policy"
                    : null;
        }

        /** Converts a response body; throws IOException if it is invalid. */
        interface Parser<T> {
            T parse(byte[] body) throws IOException;
        }

        /**
         * Parses the body of a response with status 200. A body above {@value #INLINE_BYTES_MAX} bytes is parsed on a
         * worker thread; the result is emitted on the caller's Vert.x context. Fails with {@link PlacementUnavailable}
         * for any other status, and for an invalid body.
         */
        <T> Uni<T> read(Parser<T> parser) {
            Uni<T> parsing = Uni.createFrom().item(() -> {
                if (status != 200) {
                    String refusesUs = credentialsRefusal();
                    throw new PlacementUnavailable(refusesUs == null ? "placement answered " + status : refusesUs);
                }
                try {
                    return parser.parse(body.getBytes());
                } catch (IOException e) {
                    throw new PlacementUnavailable("unreadable response: " + e.getMessage());
                }
            });
            if (body.length() <= INLINE_BYTES_MAX) {
                return parsing;
            }
            return parsing.runSubscriptionOn(Infrastructure.getDefaultExecutor()).emitOn(CallerContext.executor());
        }
    }

    /** There is no usable response of placement. Has no stack trace. */
    static final class PlacementUnavailable extends RuntimeException {
        PlacementUnavailable(String why) {
            super(why, null, false, false);
        }
    }
}
