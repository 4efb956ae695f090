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

/** An HTTP client for one address, with limits on time, connections, waiting calls and the size of a response. */
public final class BoundedHttp {
    /**
     * An idle connection is closed after this time: if the network has dropped connections silently, each idle one
     * would cost a request a timeout.
     */
    private static final int REST_SECONDS_MAX = 5;

    private final HttpClient client;
    private final URI base;
    private final Limits limits;

    /**
     * Limits of the client.
     *
     * @param timeout of a call, unless the call has its own
     * @param connect timeout of TCP's handshake, which the load of the other side does not delay
     * @param connections limit of connections
     * @param queue limit of calls that wait for a connection
     * @param answerBytes limit of a response's body, in bytes
     */
    public record Limits(Duration timeout, Duration connect, int connections, int queue, int answerBytes) {
        private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

        /** Sets limits for short responses, of at most a mebibyte. */
        public Limits(Duration timeout, int connections, int queue) {
            this(timeout, timeout.compareTo(CONNECT_MAX) < 0 ? timeout : CONNECT_MAX, connections, queue, 1 << 20);
        }
    }

    public record Answer(int status, MultiMap headers, Buffer body) {}

    /**
     * Uses Quarkus' default TLS configuration ({@code quarkus.tls.trust-store}, {@code quarkus.tls.key-store}) if there
     * is one.
     *
     * @param base http or https, checked by {@link #parseBase}
     */
    public BoundedHttp(Vertx vertx, TlsConfigurationRegistry tls, URI base, Limits limits) {
        this(vertx, trusting(tls.getDefault()), base, limits);
    }

    /** @param options has the trust settings; the constructor sets the other options */
    public BoundedHttp(Vertx vertx, HttpClientOptions options, URI base, Limits limits) {
        this.base = base;
        this.limits = limits;
        this.client = vertx.createHttpClient(
                options.setConnectTimeout((int) limits.connect().toMillis())
                        .setKeepAlive(true)
                        .setKeepAliveTimeout(REST_SECONDS_MAX)
                        .setPipelining(false)
                        .setSsl(isTls(base)),
                new PoolOptions().setHttp1MaxSize(limits.connections()).setMaxWaitQueueSize(limits.queue()));
    }

    public static HttpClientOptions trusting(Optional<TlsConfiguration> tls) {
        HttpClientOptions options = new HttpClientOptions();
        tls.ifPresent(configured -> TlsConfigUtils.configure(options, configured));
        return options;
    }

    private static boolean isTls(URI base) {
        return "https".equals(base.getScheme());
    }

    /**
     * Parses a base URL; strips trailing slashes. Throws IllegalArgumentException with the reason for anything but an
     * HTTP URL.
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
     * Sends a request. Fails if there is no complete response in time; every status is a response. A caller that
     * cancels the Uni cancels the call.
     */
    public Uni<Answer> send(HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body) {
        return send(method, path, headers, body, limits.timeout());
    }

    /** Sends a request with its own timeout {@code atMost}. */
    public Uni<Answer> send(
            HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body, Duration atMost) {
        AtomicReference<HttpClientRequest> open = new AtomicReference<>();
        AtomicBoolean isOver = new AtomicBoolean();
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(base.getHost())
                .setPort(port())
                .setSsl(isTls(base))
                .setURI(base.getRawPath() + path)
                .setTimeout(atMost.toMillis());
        try {
            headers.forEach(options::putHeader);
        } catch (IllegalArgumentException unfit) {
            // The exception's message has the value, which may be a secret.
            return Uni.createFrom().failure(new NoAnswer("a header has an invalid character"));
        }
        return Uni.createFrom()
                .<Answer>emitter(emitter -> {
                    emitter.onTermination(() -> {
                        isOver.set(true);
                        HttpClientRequest request = open.get();
                        if (request != null) {
                            request.reset();
                        }
                    });
                    client.request(options)
                            .compose(request -> {
                                open.set(request);
                                if (isOver.get()) {
                                    // The call must not take effect after the caller got a failure.
                                    request.reset();
                                    return Future.failedFuture(new NoAnswer("the caller has left"));
                                }
                                return (body == null ? request.send() : request.send(body)).compose(this::read);
                            })
                            .onComplete(done -> {
                                if (done.succeeded()) {
                                    // There is nothing to cancel: a reset now could hit the connection's next request.
                                    open.set(null);
                                    emitter.complete(done.result());
                                } else {
                                    emitter.fail(done.cause());
                                }
                            });
                })
                .ifNoItem().after(atMost)
                .failWith(() -> new NoAnswer("no answer within " + atMost.toMillis() + " ms"));
    }

    private Future<Answer> read(HttpClientResponse response) {
        Promise<Answer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(whole::tryFail);
        response.endHandler(end -> whole.tryComplete(new Answer(response.statusCode(), response.headers(), body)));
        response.handler(chunk -> {
            if (body.length() + chunk.length() > limits.answerBytes()) {
                whole.tryFail(new NoAnswer("the answer is longer than " + limits.answerBytes() + " bytes"));
                response.request().reset();
            } else {
                body.appendBuffer(chunk);
            }
        });
        return whole.future();
    }

    private int port() {
        if (base.getPort() > 0) {
            return base.getPort();
        }
        return isTls(base) ? 443 : 80;
    }

    /** There was no usable response. Has no stack trace. */
    public static final class NoAnswer extends RuntimeException {
        public NoAnswer(String why) {
            super(why, null, false, false);
        }
    }
}
