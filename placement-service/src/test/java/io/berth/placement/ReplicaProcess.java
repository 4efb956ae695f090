package io.berth.placement;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The packaged service as a process of its own, on the tests' PostgreSQL and a free port. */
final class ReplicaProcess implements AutoCloseable {
    private final ServiceProcess service;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ReplicaProcess(ServiceProcess service) {
        this.service = service;
    }

    record Answer(int status, String body) {}

    static ReplicaProcess start() {
        return start(Map.of());
    }

    /** @param environment options of this replica alone */
    static ReplicaProcess start(Map<String, String> environment) {
        var all = new HashMap<>(environment);
        all.put("BERTH_DATABASE_URL", PostgresForTests.server().url());
        return new ReplicaProcess(ServiceProcess.start(Path.of(""), all));
    }

    /**
     * As admin at the latest microversion.
     *
     * @param body null for none
     */
    Answer call(String method, String path, String body) {
        var request = HttpRequest.newBuilder(URI.create(service.url() + path))
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement 1.39")
                .timeout(Duration.ofMinutes(5));
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("content-type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
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
        return service.process();
    }

    @Override
    public void close() {
        service.close();
    }
}
