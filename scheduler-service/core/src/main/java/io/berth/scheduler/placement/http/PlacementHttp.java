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
 * Sends requests to placement over a bounded pool, each with a limit in time, behind one circuit breaker: when all of
 * the last {@value #BREAKER_WINDOW} calls failed, calls fail at once for {@value #BREAKER_OPEN_MS} ms. Only
 * {@link #repeatable} requests are retried after a failure, once. Every request is resent once with new credentials
 * after a 401, because a request without valid credentials changes nothing.
 */
@Singleton
class PlacementHttp {
    private static final int BREAKER_WINDOW = 20;
    private static final long BREAKER_OPEN_MS = 1_000;
    /**
     * The divisor for the part of the heap that one response may take. Candidates on 10,000 flat hosts are 5 MB, on
     * trees of four providers 14.
     */
    private static final int ANSWER_HEAP_PART = 8;
    private static final String BERTH_ROUTES = "/berth/v1/";
    private static final int REPEATS_MAX = 1;
    private static final long REPEAT_AFTER_MS = 50;

    private final Vertx vertx;
    private final BoundedHttp http;
    private final BoundedHttp toReplica;
    private final PlacementConfig config;
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
        this.http = client(vertx, config, tls, config.connections());
        this.toReplica = client(vertx, config, tls, 1);
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

    /** Runs a task after that many milliseconds, at least 1, unless the returned action runs before. */
    Runnable after(long ms, Runnable task) {
        long timer = vertx.setTimer(ms, ignored -> task.run());
        return () -> vertx.cancelTimer(timer);
    }

    @PreDestroy
    void close() {
        http.close();
        toReplica.close();
    }

    /**
     * Sends a request whose repetition is harmless; retries it once after a failure. Fails like {@link #once} if the
     * retry fails, too.
     */
    Uni<Answer> repeatable(HttpMethod method, String path, String microversion, String requestId) {
        return repeatable(method, path, microversion, null, requestId);
    }

    /** Sends a request with a body; otherwise like the method without a body. */
    Uni<Answer> repeatable(
            HttpMethod method, String path, String microversion, @Nullable Buffer body, String requestId) {
        return repeating.get(() -> once(method, path, microversion, body, requestId));
    }

    /**
     * Sends a request. Not retried after a failure; resent once with new credentials after a 401. Fails if there is no
     * response, on 408, 429 and 5xx, or if an error or redirect (3xx, 4xx) is not placement's. {@link #wasNotSent}
     * distinguishes the failures of requests that placement cannot have received.
     */
    Uni<Answer> once(HttpMethod method, String path, String microversion, Buffer body, String requestId) {
        return write(method, path, microversion, body, null, requestId);
    }

    /**
     * Like {@link #once}, for a write of allocations.
     *
     * @param number the header Berth-Fence; null for none
     */
    Uni<Answer> write(
            HttpMethod method, String path, String microversion, Buffer body, @Nullable Long number, String requestId) {
        return authorised(auth -> {
            Map<String, String> headers = headers(microversion, requestId, auth, body != null);
            if (number != null) {
                headers.put("berth-fence", number.toString());
            }
            return breaker.get(() -> send(http, method, path, headers, body, config.timeout()));
        }, true);
    }

    /**
     * Sends a query that may take longer than other calls. Its failures do not count for the circuit breaker, and an
     * open breaker does not stop it, because decisions do not depend on it.
     */
    Uni<Answer> question(
            HttpMethod method, String path, String microversion, Buffer body, Duration atMost, String requestId) {
        return authorised(auth -> send(
                http, method, path, headers(microversion, requestId, auth, body != null), body, atMost), true);
    }

    /**
     * Like {@link #question}, for several queries that the same replica must process. They run one at a time over one
     * connection that no other call uses, so that a load balancer that chooses the replica per connection keeps it.
     *
     * @param isLast closes the connection, so that the next query may reach another replica
     */
    Uni<Answer> questionToReplica(
            HttpMethod method, String path, String microversion, Buffer body, Duration atMost, boolean isLast,
            String requestId) {
        return authorised(auth -> {
            Map<String, String> headers = headers(microversion, requestId, auth, true);
            if (isLast) {
                headers.put("connection", "close");
            }
            return send(toReplica, method, path, headers, body, atMost);
        }, true);
    }

    /** Sends a request, and once more with other credentials after a 401, because a refused request did nothing. */
    private Uni<Answer> authorised(Function<AuthHeader, Uni<Answer>> sending, boolean again) {
        return credentials.header()
                .onFailure().transform(none -> new PlacementAway("no credentials for placement: " + none.getMessage()))
                .chain(auth -> sending.apply(auth)
                        .chain(answer -> answer.status() == 401 && credentials.refused(auth) && again
                                ? authorised(sending, false)
                                : Uni.createFrom().item(answer)));
    }

    private static Map<String, String> headers(String microversion, String requestId, AuthHeader auth, boolean hasBody) {
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

    private Uni<Answer> send(
            BoundedHttp by, HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body,
            Duration atMost) {
        long sentNanos = System.nanoTime();
        return by.send(method, path, headers, body, atMost)
                .onTermination().invoke((answer, failure, cancelled) -> metrics.called(
                        path, answer == null ? 0 : answer.status(), System.nanoTime() - sentNanos))
                .onFailure(BoundedHttp.NoAnswer.class).transform(none -> new PlacementAway(none.getMessage()))
                .map(answer -> {
                    int status = answer.status();
                    if (status >= 500 || status == 408 || status == 429) {
                        throw new PlacementAway("placement answered " + status);
                    }
                    if (status >= 300 && !isPlacements(status, path, answer.body())) {
                        throw new PlacementAway("something else answered in its place with " + status
                                + ": check berth.placement-url and the proxies before it");
                    }
                    return new Answer(status, answer.body());
                });
    }

    /**
     * Returns whether an error comes from placement itself rather than a proxy. An unknown Berth route may be reported
     * in any form, because OpenStack's Placement does not know it.
     */
    private static boolean isPlacements(int status, String path, Buffer body) {
        boolean isUnknownRoute = status == 404 || status == 405;
        return status == 401
                || status == 403
                || (isUnknownRoute && path.startsWith(BERTH_ROUTES))
                || PlacementRefusal.isOne(body.getBytes());
    }

    /** Returns whether placement cannot have received a call that failed with this. */
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

    static String why(Throwable lost) {
        // A timeout has no message.
        return lost.getMessage() == null ? "no answer in time" : lost.getMessage();
    }

    /** A response of placement, with a status below 500 other than 408 and 429. */
    record Answer(int status, Buffer body) {
        /** The largest body that is parsed on an event loop, about half a millisecond. */
        private static final int INLINE_BYTES_MAX = 64 * 1024;

        /** Returns the reason if placement refuses the scheduler's credentials; null otherwise. */
        @Nullable String refusesUs() {
            return status == 401 || status == 403
                    ? "placement refuses the scheduler's credentials (" + status + "): check berth.placement-token or"
                            + " berth.placement-auth, and placement's policy"
                    : null;
        }

        interface Parser<T> {
            T parse(byte[] body) throws IOException;
        }

        /**
         * Parses the body: a large one on a worker thread, with the result on the caller's context. Fails with
         * {@link PlacementAway} for a status other than 200, and for an unreadable body.
         */
        <T> Uni<T> read(Parser<T> parser) {
            Uni<T> parsing = Uni.createFrom().item(() -> {
                if (status != 200) {
                    String refusesUs = refusesUs();
                    throw new PlacementAway(refusesUs == null ? "placement answered " + status : refusesUs);
                }
                try {
                    return parser.parse(body.getBytes());
                } catch (IOException e) {
                    throw new PlacementAway("unreadable answer: " + e.getMessage());
                }
            });
            if (body.length() <= INLINE_BYTES_MAX) {
                return parsing;
            }
            return parsing.runSubscriptionOn(Infrastructure.getDefaultExecutor()).emitOn(CallerContext.executor());
        }
    }

    /** Placement does not respond, or responds that it cannot process the request. */
    static final class PlacementAway extends RuntimeException {
        PlacementAway(String why) {
            super(why, null, false, false);
        }
    }
}
