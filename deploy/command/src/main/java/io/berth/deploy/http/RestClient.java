package io.berth.deploy.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
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
 * Sends JSON over HTTP to one service, at placement's newest microversion unless stated otherwise. If a credential has
 * expired, it is renewed and the request sent again, because a 401 means that it had no effect. Thread-safe; each call
 * blocks.
 */
public final class RestClient {
    public static final String NEWEST = "1.39";
    private static final int MINOR_NEEDED = 39;
    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(3);
    /**
     * Limits the attempts of a read, with pauses that double: 15 s together, the time in which a service is restarted.
     */
    private static final int ATTEMPTS_MAX = 6;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int UNAUTHORIZED = 401;
    private static final Set<Integer> PASSING = Set.of(429, 500, 502, 503, 504);
    private static final int DETAIL_LENGTH_MAX = 600;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Endpoint endpoint;
    private final Credential credential;
    private final HttpClient http;
    private final Duration answerMax;
    private final String accepted;
    /** A service that never responded is not retried. */
    private volatile boolean answeredOnce;

    /** @param trust certificates of the trusted authorities; null for the JDK's own */
    public RestClient(Endpoint endpoint, Credential credential, SSLContext trust) {
        this(endpoint, credential, trust, ANSWER_MAX);
    }

    /** @param answerMax time until a response is complete */
    RestClient(Endpoint endpoint, Credential credential, SSLContext trust, Duration answerMax) {
        this(endpoint, credential, http(trust), answerMax, "application/json");
    }

    private RestClient(Endpoint endpoint, Credential credential, HttpClient http, Duration answerMax, String accepted) {
        this.endpoint = endpoint;
        this.credential = credential;
        this.http = http;
        this.answerMax = answerMax;
        this.accepted = accepted;
    }

    private static HttpClient http(SSLContext trust) {
        var builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_MAX);
        return (trust == null ? builder : builder.sslContext(trust)).build();
    }

    /** Returns a client that prefers the text of an answer to its JSON. */
    public RestClient preferringText() {
        return new RestClient(endpoint, credential, http, answerMax, "text/plain, application/json;q=0.5");
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the text encoded as a part of a path or of a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** @param body a missing node when there is none, or something that is not JSON */
    public record Answer(int status, HttpHeaders headers, String text, JsonNode body) {
        /** Returns the first error of the envelope, a missing node when there is none. */
        public JsonNode error() {
            return body.path("errors").path(0);
        }

        public String code() {
            return error().path("code").asText();
        }

        /**
         * Returns the first error's detail in one line, empty when there is none. Keystone has one error and names it
         * message.
         */
        public String detail() {
            String detail = (error().isMissingNode() ? body.path("error").path("message") : error().path("detail"))
                    .asText().strip().replaceAll("\\s+", " ");
            return detail.length() <= DETAIL_LENGTH_MAX ? detail : detail.substring(0, DETAIL_LENGTH_MAX) + "...";
        }

        boolean isPassing() {
            return PASSING.contains(status);
        }
    }

    /** Refuses a service that is not Placement, is too old or rejects the credential. */
    public void requireNewest() throws ApiFailure, InterruptedException {
        Answer root = ask("/");
        String versionMax = root.body().path("versions").path(0).path("max_version").asText();
        if (!versionMax.matches("1\\.\\d{1,6}")) {
            throw new ApiFailure("%s is no Placement service: / answered %d without a version"
                    .formatted(endpoint, root.status()));
        }
        if (Integer.parseInt(versionMax.substring(2)) < MINOR_NEEDED) {
            throw new ApiFailure("%s speaks up to %s, %s is needed (OpenStack Yoga or newer)"
                    .formatted(endpoint, versionMax, NEWEST));
        }
        get("/resource_classes");
    }

    /** Returns the body of a 200. */
    public JsonNode get(String path) throws ApiFailure, InterruptedException {
        return read(path).body();
    }

    /** Returns a 200. */
    public Answer read(String path) throws ApiFailure, InterruptedException {
        return expect("GET", path, ask(path), 200);
    }

    /** Returns any response to a GET, after retrying temporary failures. */
    public Answer ask(String path) throws ApiFailure, InterruptedException {
        for (int attempt = 1;; attempt++) {
            try {
                Answer answer = exchange("GET", path, null, NEWEST);
                if (attempt == ATTEMPTS_MAX || !answer.isPassing()) {
                    return answer;
                }
            } catch (ApiFailure e) {
                // The failure may be the credential's: Keystone may be restarting too.
                if (attempt == ATTEMPTS_MAX || !e.isPassing()) {
                    throw e;
                }
            } catch (IOException e) {
                boolean isHopeless = e instanceof SSLException || e instanceof ConnectException && !answeredOnce;
                if (attempt == ATTEMPTS_MAX || isHopeless) {
                    throw unreachable("GET", path, e);
                }
            }
            pause(attempt);
        }
    }

    /** Waits before the next attempt: half a second after the first, then twice as long each time. */
    public static void pause(int attempt) throws InterruptedException {
        Thread.sleep(PAUSE.multipliedBy(1L << (attempt - 1)));
    }

    /**
     * Sends a write once.
     *
     * @param body null for none
     * @param expected statuses that are no failure
     */
    public JsonNode send(String method, String path, JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return call(method, path, body, expected).body();
    }

    /** @param microversion an older one, for what the newest cannot say */
    public JsonNode sendAt(String microversion, String method, String path, JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return callAt(microversion, method, path, body, expected).body();
    }

    /** Sends as {@link #send}, and returns the status too. */
    public Answer call(String method, String path, JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return callAt(NEWEST, method, path, body, expected);
    }

    private Answer callAt(String microversion, String method, String path, JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        try {
            return expect(method, path, exchange(method, path, body, microversion), expected);
        } catch (IOException e) {
            throw unreachable(method, path, e);
        }
    }

    private Answer expect(String method, String path, Answer answer, int... expected) throws ApiFailure {
        if (Arrays.stream(expected).anyMatch(status -> status == answer.status())) {
            return answer;
        }
        String detail = answer.status() == UNAUTHORIZED
                ? "it does not know who we are; check the token or OS_* variables" : answer.detail();
        throw new ApiFailure("%s %s%s answered %d%s".formatted(
                method, endpoint, path, answer.status(), detail.isEmpty() ? "" : ": " + detail),
                answer.code(), answer.isPassing());
    }

    private Answer exchange(String method, String path, JsonNode body, String microversion)
            throws IOException, ApiFailure, InterruptedException {
        Credential.Header who = credential.header();
        Answer answer = once(who, method, path, body, microversion);
        if (answer.status() == UNAUTHORIZED && who != null && credential.isRenewedAfter(who)) {
            answer = once(credential.header(), method, path, body, microversion);
        }
        return answer;
    }

    private Answer once(Credential.Header who, String method, String path, JsonNode body, String microversion)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(endpoint.url() + path))
                .header("openstack-api-version", "placement " + microversion)
                .header("accept", accepted);
        if (who != null) {
            request.header(who.name(), who.value());
        }
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json").method(method, BodyPublishers.ofString(body.toString()));
        }
        HttpResponse<String> response = wholeAnswer(request.build());
        answeredOnce = true;
        return new Answer(response.statusCode(), response.headers(), response.body(), parse(response.body()));
    }

    /**
     * Enforces {@link #answerMax} for the whole response; a timeout of the request itself would cover only the headers.
     */
    private HttpResponse<String> wholeAnswer(HttpRequest request) throws IOException, InterruptedException {
        var pending = http.sendAsync(request, BodyHandlers.ofString());
        try {
            return pending.get(answerMax.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no whole answer in " + answerMax.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            // Cancels a request in progress.
            pending.cancel(true);
        }
    }

    private ApiFailure unreachable(String method, String path, IOException e) {
        // A refused connection often has no message of its own.
        String why = !(e instanceof ConnectException) ? e.toString()
                : Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                        .anyMatch(UnresolvedAddressException.class::isInstance) ? "no host has this name"
                                : "nothing answers there";
        return new ApiFailure("%s %s%s: %s".formatted(method, endpoint, path, why), "",
                answeredOnce && !(e instanceof SSLException));
    }

    private static JsonNode parse(String text) {
        try {
            return text.isBlank() ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
