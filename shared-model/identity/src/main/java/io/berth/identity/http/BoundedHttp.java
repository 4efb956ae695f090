package io.berth.identity.http;

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
import java.util.concurrent.atomic.AtomicReference;

/**
 * An HTTP client to one address, with a limit on time, connections, waiting calls and the size of an answer. Uses
 * Quarkus' default TLS configuration ({@code quarkus.tls.trust-store}, {@code quarkus.tls.key-store}) if there is one.
 */
public final class BoundedHttp {
    private static final int ANSWER_BYTES_MAX = 1 << 20;
    /** For TCP's handshake alone, which no load of the other side delays. */
    private static final long CONNECT_MS_MAX = 5_000;

    private final HttpClient client;
    private final URI base;
    private final Duration timeout;

    /** Limits of the client. */
    public record Limits(Duration timeout, int connections, int queue) {}

    public record Answer(int status, MultiMap headers, Buffer body) {}

    /** @param base http or https, checked by {@link #parseBase} */
    public BoundedHttp(Vertx vertx, TlsConfigurationRegistry tls, URI base, Limits limits) {
        this.base = base;
        this.timeout = limits.timeout();
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) Math.min(limits.timeout().toMillis(), CONNECT_MS_MAX))
                .setKeepAlive(true)
                .setPipelining(false)
                .setSsl("https".equals(base.getScheme()));
        tls.getDefault().ifPresent(configured -> TlsConfigUtils.configure(options, configured));
        options.setSsl("https".equals(base.getScheme()));
        this.client = vertx.createHttpClient(
                options, new PoolOptions().setHttp1MaxSize(limits.connections()).setMaxWaitQueueSize(limits.queue()));
    }

    /**
     * Without trailing slashes. Throws IllegalArgumentException, saying what is wrong, for anything but an HTTP URL.
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

    /** Fails when there is no whole answer in time; every status is an answer. */
    public Uni<Answer> send(HttpMethod method, String path, Map<String, String> headers, @Nullable Buffer body) {
        AtomicReference<HttpClientRequest> open = new AtomicReference<>();
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(base.getHost())
                .setPort(port())
                .setSsl("https".equals(base.getScheme()))
                .setURI(base.getRawPath() + path)
                .setTimeout(timeout.toMillis());
        headers.forEach(options::putHeader);
        return Uni.createFrom().<Answer>emitter(emitter -> {
                    emitter.onTermination(() -> {
                        HttpClientRequest request = open.get();
                        if (request != null) {
                            request.reset();
                        }
                    });
                    client.request(options)
                            .compose(request -> {
                                open.set(request);
                                return (body == null ? request.send() : request.send(body)).compose(BoundedHttp::read);
                            })
                            .onComplete(done -> {
                                if (done.succeeded()) {
                                    // Nothing to abandon: a reset now could hit the connection's next request.
                                    open.set(null);
                                    emitter.complete(done.result());
                                } else {
                                    emitter.fail(done.cause());
                                }
                            });
                })
                .ifNoItem().after(timeout)
                .failWith(() -> new NoAnswer("no answer within " + timeout.toMillis() + " ms"));
    }

    private static Future<Answer> read(HttpClientResponse response) {
        Promise<Answer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(whole::tryFail);
        response.endHandler(end -> whole.tryComplete(new Answer(response.statusCode(), response.headers(), body)));
        response.handler(chunk -> {
            if (body.length() + chunk.length() > ANSWER_BYTES_MAX) {
                whole.tryFail(new NoAnswer("the answer is longer than " + ANSWER_BYTES_MAX + " bytes"));
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
        return "https".equals(base.getScheme()) ? 443 : 80;
    }

    /** No answer that could be used. Carries no stack trace. */
    public static final class NoAnswer extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public NoAnswer(String why) {
            super(why, null, false, false);
        }
    }
}
