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

/** Calls one service as admin; a call without a response returns a value of its own. Any thread may call. */
public final class Api {
    /** The status of a call without a response: the connection broke, was refused, or the call timed out. */
    public static final int NONE = 0;

    static {
        // Idle connections end before they are counted, so they do not look like a leak of the service.
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

    /** @param retryAfter the value of the header, null without one */
    public record Answer(int status, String body, String retryAfter, Duration took) {
        public boolean isUnavailable() {
            return status == 503 && retryAfter != null;
        }
    }

    public Answer get(String path) {
        return call("GET", path, null, Duration.ofSeconds(45));
    }

    public Answer call(String method, String path, String body) {
        return call(method, path, body, Duration.ofSeconds(45));
    }

    /** @param body JSON, null for none */
    public Answer call(String method, String path, String body, Duration max) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39")
                .timeout(max);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
        }
        long began = System.nanoTime();
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body(),
                    answer.headers().firstValue("retry-after").orElse(null), since(began));
        } catch (IOException lost) {
            return new Answer(NONE, String.valueOf(lost), null, since(began));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the clock of a placement service, from a response that was created just now; to the second. */
    public Instant wallClock() {
        var request = HttpRequest.newBuilder(URI.create(url + "/"))
                .header("openstack-api-version", "placement 1.39")
                .timeout(Await.PATIENCE)
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
     * Returns the first lines of a request, for tests that send what no HTTP library would. The caller appends more
     * headers and an empty line.
     *
     * @param route method and target
     */
    public static String head(String route) {
        return route + " HTTP/1.1\r\nhost: berth\r\nx-auth-token: admin\r\nopenstack-api-version: placement 1.39\r\n"
                + "content-type: application/json\r\n";
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    public boolean isReady() {
        return call("GET", "/q/health/ready", null, Duration.ofSeconds(10)).status() == 200;
    }
}
