package io.berth.placement;

import io.berth.deploy.postgres.PostgresForTests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged service as a process of its own, on the tests' PostgreSQL and a free port. */
final class ReplicaProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");
    private static final int START_SECONDS_MAX = 90;

    private final Process process;
    private final String url;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ReplicaProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    record Answer(int status, String body) {}

    static ReplicaProcess start() {
        Path jar = Path.of("target", "quarkus-app", "quarkus-run.jar").toAbsolutePath();
        if (!Files.exists(jar)) {
            throw new IllegalStateException("no " + jar + ": run this test in Maven's verify phase, after package");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                "-Dquarkus.http.port=0", "-Dquarkus.http.host=127.0.0.1", "-jar", jar.toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("BERTH_DATABASE_URL", PostgresForTests.server().url());
        builder.environment().remove("QUARKUS_HTTP_PORT");
        try {
            Process process = builder.start();
            CompletableFuture<String> url = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> follow(process, url));
            return new ReplicaProcess(process, url.get(START_SECONDS_MAX, TimeUnit.SECONDS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the replica did not start", e);
        }
    }

    /** Reads the log to its end, so that the process never waits for a full pipe. */
    private static void follow(Process process, CompletableFuture<String> url) {
        StringBuilder log = new StringBuilder();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!url.isDone()) {
                    log.append(line).append('\n');
                    Matcher listening = LISTENING.matcher(line);
                    if (listening.find()) {
                        url.complete(listening.group(1));
                    }
                }
            }
        } catch (IOException e) {
            log.append(e);
        }
        url.completeExceptionally(new IllegalStateException("ended before it listened:\n" + log));
    }

    /** As admin at the latest microversion. @param body null for none */
    Answer call(String method, String path, String body) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39")
                .timeout(Duration.ofSeconds(40));
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body));
        }
        try {
            var response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }
}
