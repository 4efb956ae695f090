package io.berth.identity.http;

import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.quarkus.tls.runtime.config.TlsConfigUtils;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import jakarta.annotation.Nullable;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An HTTP client for one base URL, with limits on time, connections, waiting calls and the size of a response. Methods
 * may be called on any thread and never block.
 */
public final class BoundedHttp {
    /**
     * An idle connection is closed after this time. Otherwise, after the network has silently dropped connections, the
     * first request on each of these connections would run into its timeout.
     */
    private static final int IDLE_SECONDS_MAX = 5;

    private final HttpClient client;
    private final URI base;
    private final Limits limits;

    /**
     * Limits of the client.
     *
     * @param timeout limit of a whole call, unless the call has its own timeout
     * @param connect limit of the TCP handshake, which even a server under load completes at once
     * @param connections maximum number of connections
     * @param queue maximum number of calls that wait for a connection; a call beyond it fails at once
     * @param responseBytesMax maximum size of a response's body, in bytes; a longer response fails the call
     */
    public record Limits(Duration timeout, Duration connect, int connections, int queue, int responseBytesMax) {
        private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

        /** Sets limits for short responses: a body of at most 1 MiB, and a TCP handshake of at most 5 seconds. */
        public Limits(Duration timeout, int connections, int queue) {
            this(timeout, timeout.compareTo(CONNECT_MAX) < 0 ? timeout : CONNECT_MAX, connections, queue, 1 << 20);
        }
    }

    /** A complete response, with any status. */
    public record Response(int status, MultiMap headers, Buffer body) {}

    /**
     * Creates a client with Quarkus' default TLS configuration ({@code quarkus.tls.trust-store}, {@code
     * quarkus.tls.key-store}) if one exists.
     *
     * @param base the URL to which the paths of requests are appended, from {@link #parseBase}
     */
    public BoundedHttp(Vertx vertx, TlsConfigurationRegistry tls, URI base, Limits limits) {
        this(vertx, trusting(tls.getDefault()), base, limits);
    }

    /**
     * Creates a client with the TLS settings of the given options.
     *
     * @param options options with the trust store and the other TLS settings; the constructor sets the time limits, the
     * keep-alive and whether TLS is used
     */
    public BoundedHttp(Vertx vertx, HttpClientOptions options, URI base, Limits limits) {
        this.base = base;
        this.limits = limits;
        this.client = vertx.createHttpClient(
                options.setConnectTimeout((int) limits.connect().toMillis())
                        .setKeepAlive(true)
                        .setKeepAliveTimeout(IDLE_SECONDS_MAX)
                        .setPipelining(false)
                        .setSsl(isTls(base)),
                new PoolOptions().setHttp1MaxSize(limits.connections()).setMaxWaitQueueSize(limits.queue()));
    }

    /**
     * Returns client options with the trust and key stores of this TLS configuration; default options if it is empty.
     */
    public static HttpClientOptions trusting(Optional<TlsConfiguration> tls) {
        HttpClientOptions options = new HttpClientOptions();
        tls.ifPresent(configured -> TlsConfigUtils.configure(options, configured));
        return options;
    }

    private static boolean isTls(URI base) {
        return "https".equals(base.getScheme());
    }

    /**
     * Parses a base URL, and strips trailing slashes.
     *
     * @throws IllegalArgumentException with the reason, unless the text is an http or https URL with a host
     */
    public static URI parseBase(String url) {
        URI uri = URI.create(url.strip().replaceAll("/+$", ""));
        if (uri.getHost() == null || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
            throw new IllegalArgumentException("it must be http://host:port or https://host:port");
        }
        return uri;
    }

    public void close() {
        client.close();
    }

    /**
     * Sends a request with the timeout of {@link Limits}. Emits a response of any status. Fails with {@link NoResponse}
     * or an exception of the HTTP client if a limit is exceeded, a header has an invalid character, or no complete
     * response arrives in time. Canceling the subscription cancels the request.
     *
     * @param path appended to the path of the base URL; may be empty
     */
    public Uni<Response> send(HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body) {
        return send(method, path, headers, body, limits.timeout());
    }

    /** Sends a request like {@link #send(HttpMethod, String, Map, Buffer)}, with its own timeout. */
    public Uni<Response> send(
            HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body, Duration callTimeout) {
        AtomicReference<HttpClientRequest> sentRequest = new AtomicReference<>();
        AtomicBoolean isTerminated = new AtomicBoolean();
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(base.getHost())
                .setPort(port())
                .setSsl(isTls(base))
                .setURI(base.getRawPath() + path)
                .setTimeout(callTimeout.toMillis());
        try {
            headers.forEach(options::putHeader);
        } catch (IllegalArgumentException unfit) {
            // The message of Vert.x's exception has the header's value, which may be a secret.
            return Uni.createFrom().failure(new NoResponse("a header has an invalid character"));
        }
        return Uni.createFrom()
                .<Response>emitter(emitter -> {
                    emitter.onTermination(() -> {
                        isTerminated.set(true);
                        HttpClientRequest request = sentRequest.get();
                        if (request != null) {
                            request.reset();
                        }
                    });
                    client.request(options)
                            .compose(request -> {
                                sentRequest.set(request);
                                if (isTerminated.get()) {
                                    // The call must not take effect after the caller got a failure.
                                    request.reset();
                                    return Future.failedFuture(new NoResponse("the call was canceled or timed out"));
                                }
                                return (body == null ? request.send() : request.send(body)).compose(this::read);
                            })
                            .onComplete(result -> {
                                if (result.succeeded()) {
                                    // The response is complete. A reset from now on could hit the connection's next
                                    // request.
                                    sentRequest.set(null);
                                    emitter.complete(result.result());
                                } else {
                                    emitter.fail(result.cause());
                                }
                            });
                })
                .ifNoItem().after(callTimeout)
                .failWith(() -> new NoResponse("no response within " + callTimeout.toMillis() + " ms"));
    }

    private Future<Response> read(HttpClientResponse response) {
        Promise<Response> complete = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(complete::tryFail);
        response.endHandler(end -> complete.tryComplete(new Response(response.statusCode(), response.headers(), body)));
        response.handler(chunk -> {
            if (body.length() + chunk.length() > limits.responseBytesMax()) {
                complete.tryFail(new NoResponse("the response is longer than " + limits.responseBytesMax() + " bytes"));
                response.request().reset();
            } else {
                body.appendBuffer(chunk);
            }
        });
        return complete.future();
    }

    private int port() {
        if (base.getPort() > 0) {
            return base.getPort();
        }
        return isTls(base) ? 443 : 80;
    }

    /** No usable response arrived. Has no stack trace. */
    public static final class NoResponse extends RuntimeException {
        public NoResponse(String why) {
            super(why, null, false, false);
        }
    }
}
