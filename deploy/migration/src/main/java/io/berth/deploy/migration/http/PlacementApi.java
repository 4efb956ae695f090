package io.berth.deploy.migration.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** One Placement service at microversion 1.39. Any thread may call; each call waits for its answer. */
public final class PlacementApi {
    public static final String NEWEST = "1.39";
    private static final int MINOR_NEEDED = 39;
    private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(3);
    /** Of a question; a write is sent once, since the one that got lost may have done its work. */
    private static final int ATTEMPTS_MAX = 4;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(500);
    private static final Set<Integer> WORTH_ASKING_AGAIN = Set.of(429, 502, 503, 504);
    private static final int DETAIL_LENGTH_MAX = 300;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Target target;
    private final HttpClient http;

    /** @param trust certificates to believe in; null for the JDK's own */
    public PlacementApi(Target target, SSLContext trust) {
        this.target = target;
        var builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_MAX);
        if (trust != null) {
            builder.sslContext(trust);
        }
        this.http = builder.build();
    }

    public Target target() {
        return target;
    }

    /** @param body a missing node when there is none, or something that is not JSON */
    public record Answer(int status, JsonNode body) {
        String code() {
            return body.path("errors").path(0).path("code").asText();
        }

        /** The first error's detail in one line, empty when there is none. */
        String detail() {
            String detail = body.path("errors").path(0).path("detail").asText().strip().replaceAll("\\s+", " ");
            return detail.length() <= DETAIL_LENGTH_MAX ? detail : detail.substring(0, DETAIL_LENGTH_MAX) + "...";
        }
    }

    /** Refuses a service that is none, is too old or does not let us in. */
    public void requireNewest() throws ApiFailure, InterruptedException {
        Answer root = ask("/");
        String versionMax = root.body().path("versions").path(0).path("max_version").asText();
        if (!versionMax.matches("1\\.\\d{1,6}")) {
            throw new ApiFailure("%s is no Placement service: / answered %d without a version"
                    .formatted(target, root.status()));
        }
        if (Integer.parseInt(versionMax.substring(2)) < MINOR_NEEDED) {
            throw new ApiFailure("%s speaks up to %s, %s is needed (OpenStack Yoga or newer)"
                    .formatted(target, versionMax, NEWEST));
        }
        get("/resource_classes");
    }

    /** The body of a 200. */
    public JsonNode get(String path) throws ApiFailure, InterruptedException {
        return expect("GET", path, ask(path), 200).body();
    }

    /** Whatever is answered, once somebody answers. */
    public Answer ask(String path) throws ApiFailure, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                Answer answer = exchange("GET", path, null, NEWEST);
                if (attempt == ATTEMPTS_MAX || !WORTH_ASKING_AGAIN.contains(answer.status())) {
                    return answer;
                }
            } catch (IOException e) {
                if (attempt == ATTEMPTS_MAX || e instanceof ConnectException || e instanceof SSLException) {
                    throw unreachable("GET", path, e);
                }
            }
            Thread.sleep(BETWEEN_ATTEMPTS.multipliedBy(attempt));
        }
    }

    /**
     * Sends a write once.
     *
     * @param body null for none
     * @param expected statuses that are no failure
     */
    public JsonNode send(String method, String path, JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        return sendAt(NEWEST, method, path, body, expected);
    }

    /** @param microversion an older one, for what the newest cannot say */
    public JsonNode sendAt(String microversion, String method, String path, JsonNode body, int... expected)
            throws ApiFailure, InterruptedException {
        try {
            return expect(method, path, exchange(method, path, body, microversion), expected).body();
        } catch (IOException e) {
            throw unreachable(method, path, e);
        }
    }

    private Answer expect(String method, String path, Answer answer, int... expected) throws ApiFailure {
        if (Arrays.stream(expected).anyMatch(status -> status == answer.status())) {
            return answer;
        }
        String detail = answer.status() == 401 ? "check its token" : answer.detail();
        throw new ApiFailure("%s %s%s answered %d%s".formatted(
                method, target, path, answer.status(), detail.isEmpty() ? "" : ": " + detail), answer.code());
    }

    private Answer exchange(String method, String path, JsonNode body, String microversion)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(target.url() + path))
                .timeout(ANSWER_MAX)
                .header("x-auth-token", target.token())
                .header("openstack-api-version", "placement " + microversion)
                .header("accept", "application/json");
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json").method(method, BodyPublishers.ofString(body.toString()));
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), parse(response.body()));
    }

    private ApiFailure unreachable(String method, String path, IOException e) {
        // A refused connection often has no message of its own.
        String why = e instanceof ConnectException ? "nothing answers there" : e.toString();
        return new ApiFailure("%s %s%s: %s".formatted(method, target, path, why));
    }

    private static JsonNode parse(String text) {
        try {
            return text.isBlank() ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
