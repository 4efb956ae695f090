package io.berth.deploy.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;

/** JSON over HTTP to one service, as the admin of the development profiles, at the newest microversion. */
final class JsonApi {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String baseUrl;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_MAX).build();

    JsonApi(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    /** Body is a missing node when the service sent none, or something that is not JSON. */
    record Answer(int status, JsonNode body) {
        /** The detail of placement's error envelope in one line, empty when there is none. */
        String detail() {
            return error().path("detail").asText().strip().replaceAll("\\s+", " ");
        }

        /** The first error of the envelope, a missing node when there is none. */
        JsonNode error() {
            return body.path("errors").path(0);
        }
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** Sends it; {@code body} null sends none. Any answer with another status than those expected is an error. */
    Answer send(String method, String path, JsonNode body, Set<Integer> expected)
            throws IOException, InterruptedException, UnexpectedAnswer {
        var request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                .timeout(ANSWER_MAX)
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39")
                .header("accept", "application/json");
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json").method(method, BodyPublishers.ofString(body.toString()));
        }
        HttpResponse<String> response;
        try {
            response = http.send(request.build(), BodyHandlers.ofString());
        } catch (ConnectException e) {
            // Its own message is often null.
            throw new UnexpectedAnswer("nothing answers at " + baseUrl + "; see deploy/up");
        }
        var answer = new Answer(response.statusCode(), parse(response.body()));
        if (!expected.contains(answer.status())) {
            String detail = answer.detail();
            throw new UnexpectedAnswer("%s %s%s answered %d%s"
                    .formatted(method, baseUrl, path, answer.status(), detail.isEmpty() ? "" : ": " + detail));
        }
        return answer;
    }

    private static JsonNode parse(String text) {
        try {
            return text.isBlank() ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
