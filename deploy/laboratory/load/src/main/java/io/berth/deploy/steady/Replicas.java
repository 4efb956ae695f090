package io.berth.deploy.steady;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A client of several replicas of placement. Sends each request to the next replica in turn. Thread-safe. */
final class Replicas {
    /** The status of a request without a response, which may have had its effect. */
    static final int UNANSWERED = 0;
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int CONNECT_ROUNDS_MAX = 3;
    private static final int UNAVAILABLE = 503;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> urls;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT).build();
    private final AtomicLong nextReplica = new AtomicLong();
    private final AtomicLong resentCount = new AtomicLong();

    Replicas(List<String> urls) {
        this.urls = List.copyOf(urls);
    }

    /** @param status the HTTP status, or {@link #UNANSWERED} */
    record Response(int status, String body) {}

    /** Returns how many times a request was sent to another replica after a refused connection or a 503. */
    long resentCount() {
        return resentCount.get();
    }

    /**
     * Sends a request, and waits for the response. After a refused connection or a 503, sends the request to the next
     * replica, up to {@value #CONNECT_ROUNDS_MAX} times to each replica. If there is only one replica, sends the
     * request once.
     *
     * @param body JSON; null for none
     * @return the first response that is not a 503. Status 503 if the last attempt got a 503 or a refused connection;
     *         {@link #UNANSWERED} if an attempt got no response for another reason
     */
    Response call(String method, String path, String body) throws InterruptedException {
        int attemptsMax = urls.size() == 1 ? 1 : urls.size() * CONNECT_ROUNDS_MAX;
        long first = nextReplica.getAndIncrement();
        for (int attempt = 0;; attempt++) {
            String url = urls.get((int) ((first + attempt) % urls.size()));
            try {
                var response = http.send(request(method, url + path, body), BodyHandlers.ofString());
                if (response.statusCode() != UNAVAILABLE || attempt + 1 >= attemptsMax) {
                    return new Response(response.statusCode(), response.body());
                }
            } catch (ConnectException e) {
                if (attempt + 1 >= attemptsMax) {
                    return new Response(UNAVAILABLE, e.toString());
                }
            } catch (IOException e) {
                return new Response(UNANSWERED, e.toString());
            }
            resentCount.incrementAndGet();
            Thread.sleep(20);
        }
    }

    JsonNode get(String path) throws InterruptedException, IOException {
        Response response = call("GET", path, null);
        if (response.status() != 200) {
            throw new IOException("GET " + path + ": " + response);
        }
        return JSON.readTree(response.body());
    }

    private static HttpRequest request(String method, String url, String body) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(RESPONSE_TIMEOUT)
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39")
                .header("content-type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
    }
}
