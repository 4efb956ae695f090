package io.berth.deploy.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Executors;

/**
 * Calls one service over HTTP, with the token {@code admin} of the identity strategy {@code noauth2}. A call waits for
 * at most 45 s unless stated otherwise. A call without a response returns the status {@link #NO_RESPONSE} and throws no
 * exception, except {@link #wallClock}, which needs the response. Thread-safe.
 */
public final class Api {
    /** The status of a call without a response: the connection was refused or broke, or the call timed out. */
    public static final int NO_RESPONSE = 0;

    static {
        // Closes idle connections after 3 s, before tests count the service's connections to find a leak.
        System.setProperty("jdk.httpclient.keepalive.timeout", "3");
    }

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(45))
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final String url;

    public Api(String url) {
        this.url = url;
    }

    /**
     * A response.
     *
     * @param status the HTTP status, or {@link #NO_RESPONSE}
     * @param body the body; for {@link #NO_RESPONSE} the exception as text
     * @param retryAfter the value of the header Retry-After; null if there is none
     * @param elapsed time from sending the request until the response was complete, or the call failed
     */
    public record Response(int status, String body, String retryAfter, Duration elapsed) {
        /** Returns whether this is a well-formed refusal for a temporary reason: 503 with Retry-After. */
        public boolean isUnavailable() {
            return status == 503 && retryAfter != null;
        }
    }

    public Response get(String path) {
        return call("GET", path, null, Duration.ofSeconds(45));
    }

    public Response call(String method, String path, String body) {
        return call(method, path, body, Duration.ofSeconds(45));
    }

    /**
     * Sends a request and waits for the response.
     *
     * @param body JSON; null for none
     * @param timeLimit the longest wait for the response; after it, the status is {@link #NO_RESPONSE}
     */
    public Response call(String method, String path, String body, Duration timeLimit) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39")
                .timeout(timeLimit);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
        }
        long beganNanos = System.nanoTime();
        try {
            var response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Response(response.statusCode(), response.body(),
                    response.headers().firstValue("retry-after").orElse(null), elapsedSince(beganNanos));
        } catch (IOException e) {
            return new Response(NO_RESPONSE, String.valueOf(e), null, elapsedSince(beganNanos));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the time of a placement service's clock, in whole seconds, from the Last-Modified of {@code GET /}. */
    public Instant wallClock() {
        var request = HttpRequest.newBuilder(URI.create(url + "/"))
                .header("openstack-api-version", "placement 1.39")
                .timeout(Await.WAIT_MAX)
                .build();
        try {
            String date = http.send(request, HttpResponse.BodyHandlers.ofString())
                    .headers().firstValue("last-modified").orElseThrow();
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the request line and the usual headers, for tests that send malformed requests over a socket. The caller
     * appends further headers and the empty line.
     *
     * @param route method and target, such as {@code GET /traits}
     */
    public static String requestHead(String route) {
        return route + " HTTP/1.1\r\nhost: berth\r\nx-auth-token: admin\r\nopenstack-api-version: placement 1.39\r\n"
                + "content-type: application/json\r\n";
    }

    private static Duration elapsedSince(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    public boolean isReady() {
        return call("GET", "/q/health/ready", null, Duration.ofSeconds(10)).status() == 200;
    }
}
