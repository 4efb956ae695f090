package io.berth.placement;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Api;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The packaged service as a process, on the tests' PostgreSQL and a free port. */
final class ReplicaProcess implements AutoCloseable {
    private final ServiceProcess service;
    private final Api api;

    private ReplicaProcess(ServiceProcess service) {
        this.service = service;
        this.api = new Api(service.url());
    }

    static ReplicaProcess start() {
        return start(Map.of());
    }

    /** @param environment options for this replica only */
    static ReplicaProcess start(Map<String, String> environment) {
        var all = new HashMap<>(environment);
        all.put("BERTH_DATABASE_URL", PostgresForTests.url());
        return new ReplicaProcess(ServiceProcess.start(Path.of(""), all));
    }

    /**
     * Sends a request as admin at the latest microversion.
     *
     * @param body null for none
     */
    Api.Response call(String method, String path, String body) {
        return api.call(method, path, body, Duration.ofMinutes(5));
    }

    Process process() {
        return service.process();
    }

    @Override
    public void close() {
        service.close();
    }
}
