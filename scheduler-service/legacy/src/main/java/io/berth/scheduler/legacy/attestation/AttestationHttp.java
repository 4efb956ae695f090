package io.berth.scheduler.legacy.attestation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.StartRefusal;
import io.berth.identity.http.BoundedHttp;
import io.berth.identity.http.Breaker;
import io.berth.scheduler.config.Options;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.PemTrustOptions;
import jakarta.enterprise.util.TypeLiteral;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The client of the attestation service: {@code POST <api_url>/PollHosts} over TLS (unless the configured server begins
 * with {@code http://}), with limits of time and size. A circuit breaker opens after {@value #BREAKER_FAILURES} failed
 * calls in a row; while it is open, for {@value #BREAKER_OPEN_MS} ms, calls fail immediately. A failed call is not
 * retried.
 */
final class AttestationHttp {
    private static final int BREAKER_FAILURES = 4;
    private static final long BREAKER_OPEN_MS = 5_000;
    /** Maximum size of a response in bytes; a call with a larger response fails. */
    private static final int RESPONSE_BYTES_MAX = 32 * 1024 * 1024;
    /** Time limit of establishing a connection. */
    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);
    /**
     * Maximum number of calls that wait for the only connection; a further call fails. {@link AttestationCache} makes
     * one call at a time, so calls rarely wait.
     */
    private static final int WAITING_CALLS_MAX = 10;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final BoundedHttp http;
    private final Map<String, String> headers = new HashMap<>();
    private final TypedGuard<Uni<JsonNode>> breaker;

    /**
     * @param server the option {@code attestation_server}, which may begin with {@code http://} for a service without
     *     TLS
     * @param timeout time limit of a call, including the connection
     */
    AttestationHttp(Vertx vertx, String server, Options.TrustedComputing options, Duration timeout) {
        this.http = new BoundedHttp(vertx, trust(options), base(server, options),
                new BoundedHttp.Limits(timeout, CONNECT_MAX, 1, WAITING_CALLS_MAX, RESPONSE_BYTES_MAX));
        headers.put("content-type", "application/json");
        headers.put("accept", "application/json");
        String blob = options.attestationAuthBlob();
        if (blob != null) {
            headers.put(blob.startsWith("Basic ") ? "authorization" : "x-auth-blob", blob);
        }
        this.breaker = TypedGuard.create(new TypeLiteral<Uni<JsonNode>>() {})
                .withDescription("attestation")
                .withCircuitBreaker()
                .with(Breaker.after(BREAKER_FAILURES, BREAKER_OPEN_MS))
                .done()
                .build();
    }

    private static HttpClientOptions trust(Options.TrustedComputing options) {
        var client = new HttpClientOptions()
                .setTrustAll(options.attestationInsecureSsl())
                .setVerifyHost(!options.attestationInsecureSsl());
        return options.attestationServerCaFile() == null
                ? client
                : client.setTrustOptions(new PemTrustOptions().addCertPath(options.attestationServerCaFile()));
    }

    private static URI base(String server, Options.TrustedComputing options) {
        String url = (server.contains("://") ? server : "https://" + server)
                + ":" + options.attestationPort() + options.attestationApiUrl();
        try {
            return BoundedHttp.parseBase(url);
        } catch (IllegalArgumentException e) {
            throw StartRefusal.because("[trusted_computing] attestation_server=" + server + ": " + e.getMessage());
        }
    }

    void close() {
        http.close();
    }

    /**
     * Queries the trust levels of nodes, and returns the response body. Fails if there is no response in time, if its
     * status is not 2xx, if its body is too large or not JSON, or if the circuit breaker is open.
     */
    Uni<JsonNode> poll(Set<String> nodes) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("count", nodes.size());
        nodes.forEach(body.putArray("hosts")::add);
        return breaker.get(() -> http
                .send(HttpMethod.POST, "/PollHosts", headers, Buffer.buffer(body.toString()))
                .map(AttestationHttp::parse));
    }

    private static JsonNode parse(BoundedHttp.Response response) {
        if (response.status() / 100 != 2) {
            throw new Unavailable("attestation service returned status " + response.status());
        }
        try {
            return JSON.readTree(response.body().toString());
        } catch (JsonProcessingException e) {
            throw new Unavailable("attestation service returned a body that is not JSON");
        }
    }

    /** The service returned an error, or a body that cannot be parsed. */
    static final class Unavailable extends RuntimeException {
        Unavailable(String detail) {
            super(detail, null, false, false);
        }
    }
}
