package io.berth.deploy.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Sends JSON over HTTP to one service, at placement's microversion {@value #NEWEST_MICROVERSION} unless stated
 * otherwise. The methods for a GET ({@link #get}, {@link #getResponse}, {@link #getAnyStatus}) retry after a temporary
 * failure. The methods that may write ({@link #send}, {@link #sendAt}, {@link #call}) do not. After a 401, the client
 * renews the credential, if possible, and sends the request once more, because a refused request had no effect. Each
 * call blocks until the response is complete, for at most three minutes per request that it sends. Thread-safe.
 */
public final class RestClient {
    public static final String NEWEST_MICROVERSION = "1.39";
    private static final int NEWEST_MINOR = 39;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMinutes(3);
    /**
     * Maximum number of attempts of {@link #getAnyStatus}. The pauses between them add up to some 15 s, in which a
     * service can be restarted.
     */
    private static final int ATTEMPTS_MAX = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final int UNAUTHORIZED = 401;
    /** The statuses that mean a temporary failure. */
    private static final Set<Integer> TEMPORARY = Set.of(429, 500, 502, 503, 504);
    /** Length in characters at which the detail of an error is cut. */
    private static final int DETAIL_LENGTH_MAX = 600;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Endpoint endpoint;
    private final Credential credential;
    private final HttpClient http;
    private final Duration responseTimeout;
    private final String acceptHeader;
    /**
     * True once the service has responded. Until then, a connection that fails other than by a timeout is not retried,
     * and an {@link ApiFailure} without a response is not called temporary, because the URL is probably wrong.
     */
    private volatile boolean hasResponded;

    /** @param trust TLS context with the trusted authorities; null for the JDK's own */
    public RestClient(Endpoint endpoint, Credential credential, @Nullable SSLContext trust) {
        this(endpoint, credential, trust, RESPONSE_TIMEOUT);
    }

    /** @param responseTimeout longest time from sending a request until its response is complete */
    RestClient(Endpoint endpoint, Credential credential, @Nullable SSLContext trust, Duration responseTimeout) {
        this(endpoint, credential, http(trust), responseTimeout, "application/json");
    }

    private RestClient(Endpoint endpoint, Credential credential, HttpClient http, Duration responseTimeout,
            String acceptHeader) {
        this.endpoint = endpoint;
        this.credential = credential;
        this.http = http;
        this.responseTimeout = responseTimeout;
        this.acceptHeader = acceptHeader;
    }

    private static HttpClient http(@Nullable SSLContext trust) {
        var builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        return (trust == null ? builder : builder.sslContext(trust)).build();
    }

    /** Returns a client for the same service that requests text/plain, and JSON only where the service has no text. */
    public RestClient preferringText() {
        return new RestClient(endpoint, credential, http, responseTimeout, "text/plain, application/json;q=0.5");
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Percent-encodes a path segment or the value of a query parameter. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static ObjectNode emptyObject() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * A response of any status.
     *
     * @param text the body as text
     * @param body the body as JSON; a missing node if there is none or it is not JSON
     */
    public record Response(int status, HttpHeaders headers, String text, JsonNode body) {
        /** Returns the first element of the member {@code errors}; a missing node if there is none. */
        public JsonNode error() {
            return body.path("errors").path(0);
        }

        /** Returns the code of the first error; empty if there is none. */
        public String code() {
            return error().path("code").asText();
        }

        /**
         * Returns the detail of the first error on one line, cut to {@value #DETAIL_LENGTH_MAX} characters; empty if
         * there is none. In a response of Keystone, the detail is the message of the member {@code error}.
         */
        public String detail() {
            String detail = (error().isMissingNode() ? body.path("error").path("message") : error().path("detail"))
                    .asText().strip().replaceAll("\\s+", " ");
            return detail.length() <= DETAIL_LENGTH_MAX ? detail : detail.substring(0, DETAIL_LENGTH_MAX) + "...";
        }

        boolean isTemporaryFailure() {
            return TEMPORARY.contains(status);
        }
    }

    /**
     * Checks that the service is a Placement that supports microversion {@value #NEWEST_MICROVERSION} and accepts the
     * credential.
     *
     * @throws ApiFailure if the service is no Placement, is too old, refuses the credential or does not respond
     */
    public void requireNewestMicroversion() throws ApiFailure, InterruptedException {
        Response root = getAnyStatus("/");
        String versionMax = root.body().path("versions").path(0).path("max_version").asText();
        if (!versionMax.matches("1\\.\\d{1,6}")) {
            throw new ApiFailure("%s is no Placement service: / answered %d without a version"
                    .formatted(endpoint, root.status()));
        }
        if (Integer.parseInt(versionMax.substring(2)) < NEWEST_MINOR) {
            throw new ApiFailure("%s supports microversions up to %s; %s is needed (OpenStack Yoga or newer)"
                    .formatted(endpoint, versionMax, NEWEST_MICROVERSION));
        }
        get("/resource_classes");
    }

    /**
     * Sends a GET, with retries, and returns the body.
     *
     * @throws ApiFailure if the status is not 200, there was no response, or a login failed
     */
    public JsonNode get(String path) throws ApiFailure, InterruptedException {
        return getResponse(path).body();
    }

    /** Sends a GET like {@link #get}, and returns the whole response. */
    public Response getResponse(String path) throws ApiFailure, InterruptedException {
        return expect("GET", path, getAnyStatus(path), 200);
    }

    /**
     * Sends a GET and returns the response, whatever its status. Retries after a temporary failure: status 429, 500,
     * 502, 503 or 504, no response, or a temporary failure of the login. Does not retry if TLS failed, nor if the
     * service has never responded and the connection failed other than by a timeout (for example, it was refused, or
     * the host name is unknown).
     *
     * @throws ApiFailure if there was no response, or a login failed
     */
    public Response getAnyStatus(String path) throws ApiFailure, InterruptedException {
        for (int attempt = 1;; attempt++) {
            try {
                Response response = exchange("GET", path, null, NEWEST_MICROVERSION);
                if (attempt == ATTEMPTS_MAX || !response.isTemporaryFailure()) {
                    return response;
                }
            } catch (ApiFailure e) {
                // The login failed: Keystone may be restarting.
                if (attempt == ATTEMPTS_MAX || !e.isTemporary()) {
                    throw e;
                }
            } catch (IOException e) {
                boolean isPermanent = e instanceof SSLException || e instanceof ConnectException && !hasResponded;
                if (attempt == ATTEMPTS_MAX || isPermanent) {
                    throw unreachable("GET", path, e);
                }
            }
            pause(attempt);
        }
    }

    /**
     * Waits before the next attempt: half a second after the first, then twice as long each time.
     *
     * @param attempt number of the attempt that failed, from 1
     */
    public static void pause(int attempt) throws InterruptedException {
        Thread.sleep(FIRST_PAUSE.multipliedBy(1L << (attempt - 1)));
    }

    /**
     * Sends a request without retries, except once after a 401, and returns the body of the response.
     *
     * @param body JSON; null for none
     * @param expected the statuses that count as success
     * @throws ApiFailure for any other status, if there was no response, or if a login failed
     */
    public JsonNode send(String method, String path, @Nullable JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return call(method, path, body, expected).body();
    }

    /**
     * Sends like {@link #send} at an older microversion, for requests that {@value #NEWEST_MICROVERSION} does not
     * allow.
     */
    public JsonNode sendAt(String microversion, String method, String path, @Nullable JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return callAt(microversion, method, path, body, expected).body();
    }

    /** Sends like {@link #send}, and returns the whole response. */
    public Response call(String method, String path, @Nullable JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return callAt(NEWEST_MICROVERSION, method, path, body, expected);
    }

    private Response callAt(String microversion, String method, String path, @Nullable JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        try {
            return expect(method, path, exchange(method, path, body, microversion), expected);
        } catch (IOException e) {
            throw unreachable(method, path, e);
        }
    }

    /** Returns the response. Throws an ApiFailure if its status is not one of {@code expected}. */
    private Response expect(String method, String path, Response response, int... expected) throws ApiFailure {
        if (Arrays.stream(expected).anyMatch(status -> status == response.status())) {
            return response;
        }
        String detail = response.status() == UNAUTHORIZED
                ? "the credential is refused; check the token or OS_* variables" : response.detail();
        throw new ApiFailure("%s %s%s answered %d%s".formatted(
                method, endpoint, path, response.status(), detail.isEmpty() ? "" : ": " + detail),
                response.code(), response.isTemporaryFailure());
    }

    private Response exchange(String method, String path, @Nullable JsonNode body, String microversion)
            throws IOException, ApiFailure, InterruptedException {
        Credential.Header identity = credential.header();
        Response response = sendOnce(identity, method, path, body, microversion);
        if (response.status() == UNAUTHORIZED && identity != null && credential.renewAfter(identity)) {
            response = sendOnce(credential.header(), method, path, body, microversion);
        }
        return response;
    }

    private Response sendOnce(
            @Nullable Credential.Header identity, String method, String path, @Nullable JsonNode body,
            String microversion)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(endpoint.url() + path))
                .header("openstack-api-version", "placement " + microversion)
                .header("accept", acceptHeader);
        if (identity != null) {
            request.header(identity.name(), identity.value());
        }
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json").method(method, BodyPublishers.ofString(body.toString()));
        }
        HttpResponse<String> response = awaitResponse(request.build());
        hasResponded = true;
        return new Response(response.statusCode(), response.headers(), response.body(), parse(response.body()));
    }

    /**
     * Sends a request and waits until the response is complete, for {@link #responseTimeout} at most. HttpRequest's own
     * timeout would end only the wait for the headers.
     */
    private HttpResponse<String> awaitResponse(HttpRequest request) throws IOException, InterruptedException {
        var pending = http.sendAsync(request, BodyHandlers.ofString());
        try {
            return pending.get(responseTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no complete response in " + responseTimeout.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            // Aborts the exchange if it is still in progress.
            pending.cancel(true);
        }
    }

    private ApiFailure unreachable(String method, String path, IOException e) {
        // The ConnectException of a refused connection has no message.
        String reason = !(e instanceof ConnectException) ? e.toString()
                : Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                        .anyMatch(UnresolvedAddressException.class::isInstance) ? "no host has this name"
                                : "cannot connect; check the URL, and that the service is running";
        return new ApiFailure("%s %s%s: %s".formatted(method, endpoint, path, reason), "",
                hasResponded && !(e instanceof SSLException));
    }

    private static JsonNode parse(String text) {
        try {
            return text.isBlank() ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
