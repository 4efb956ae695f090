package io.berth.scheduler.attestation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.http.Breaker;
import io.berth.scheduler.config.Options;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import jakarta.enterprise.util.TypeLiteral;
import java.time.Duration;
import java.util.Set;

/**
 * {@code POST <api_url>/PollHosts} over TLS, each call with a limit in time and in size, behind a circuit breaker: when
 * all of the last {@value #BREAKER_WINDOW} calls failed, calls fail at once for {@value #BREAKER_OPEN_MS} ms. Nothing
 * is repeated: the next request that wants to know asks again.
 */
final class AttestationHttp {
    private static final int BREAKER_WINDOW = 4;
    private static final long BREAKER_OPEN_MS = 5_000;
    private static final int CONNECT_MS_MAX = 2_000;
    private static final int ANSWER_BYTES_MAX = 32 * 1024 * 1024;
    private static final String PLAIN = "http://";
    private static final String TLS = "https://";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client;
    private final Options.TrustedComputing options;
    private final Duration timeout;
    private final TypedGuard<Uni<JsonNode>> breaker;

    /** @param options with a server; its name may begin with {@code http://}, for a service without TLS */
    AttestationHttp(Vertx vertx, Options.TrustedComputing options, Duration timeout) {
        this.options = options;
        this.timeout = timeout;
        this.client = vertx.createHttpClient(clientOptions(options), new PoolOptions().setHttp1MaxSize(1));
        this.breaker = TypedGuard.create(new TypeLiteral<Uni<JsonNode>>() {})
                .withDescription("attestation")
                .withCircuitBreaker()
                .with(Breaker.after(BREAKER_WINDOW, BREAKER_OPEN_MS))
                .done()
                .build();
    }

    private static HttpClientOptions clientOptions(Options.TrustedComputing options) {
        var client = new HttpClientOptions()
                .setConnectTimeout(CONNECT_MS_MAX)
                .setSsl(!isPlain(options))
                .setTrustAll(options.attestationInsecureSsl())
                .setVerifyHost(!options.attestationInsecureSsl());
        return options.attestationServerCaFile() == null
                ? client
                : client.setTrustOptions(new PemTrustOptions().addCertPath(options.attestationServerCaFile()));
    }

    void close() {
        client.close();
    }

    /** Fails when there is no answer in time, another status than 2xx, or no JSON. */
    Uni<JsonNode> poll(Set<String> nodes) {
        return breaker.get(() -> Uni.createFrom()
                .completionStage(() -> send(nodes).toCompletionStage())
                .ifNoItem().after(timeout)
                .failWith(() -> new Away("no answer within " + timeout.toMillis() + " ms")));
    }

    private Future<JsonNode> send(Set<String> nodes) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("count", nodes.size());
        nodes.forEach(body.putArray("hosts")::add);
        return client.request(request())
                // Within: on the connection's event loop, before the first of the response comes, whoever asks.
                .compose(request -> request.send(Buffer.buffer(body.toString())).compose(AttestationHttp::bounded))
                .map(AttestationHttp::parse);
    }

    private RequestOptions request() {
        var request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(host(options))
                .setPort(options.attestationPort())
                .setSsl(!isPlain(options))
                .setURI(options.attestationApiUrl() + "/PollHosts")
                .setTimeout(timeout.toMillis())
                .putHeader("content-type", "application/json")
                .putHeader("accept", "application/json");
        String blob = options.attestationAuthBlob();
        if (blob == null) {
            return request;
        }
        return request.putHeader(blob.startsWith("Basic ") ? "authorization" : "x-auth-blob", blob);
    }

    private static Future<Buffer> bounded(HttpClientResponse response) {
        Promise<Buffer> whole = Promise.promise();
        Buffer read = Buffer.buffer();
        response.exceptionHandler(whole::tryFail);
        response.endHandler(_ -> whole.tryComplete(read));
        response.handler(part -> {
            read.appendBuffer(part);
            if (read.length() > ANSWER_BYTES_MAX) {
                whole.tryFail(new Away("answered more than " + ANSWER_BYTES_MAX + " bytes"));
                response.request().reset();
            }
        });
        return whole.future().map(body -> {
            if (response.statusCode() / 100 != 2) {
                throw new Away("answered " + response.statusCode());
            }
            return body;
        });
    }

    private static JsonNode parse(Buffer body) {
        try {
            return JSON.readTree(body.toString());
        } catch (JsonProcessingException e) {
            throw new Away("answered no JSON");
        }
    }

    private static boolean isPlain(Options.TrustedComputing options) {
        return options.attestationServer().startsWith(PLAIN);
    }

    private static String host(Options.TrustedComputing options) {
        String server = options.attestationServer();
        return isPlain(options)
                ? server.substring(PLAIN.length())
                : server.startsWith(TLS) ? server.substring(TLS.length()) : server;
    }

    /** The service gives no answer that can be used. */
    static final class Away extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Away(String why) {
            super(why, null, false, false);
        }
    }
}
