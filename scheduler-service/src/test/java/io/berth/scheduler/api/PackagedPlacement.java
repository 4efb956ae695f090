package io.berth.scheduler.api;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.Map;

/**
 * The Placement service of tests that claim: Berth's own, packaged, as a process beside the tests on their PostgreSQL; or,
 * to compare, any other at {@code -Dberth.test.placement=URL} (its content is changed).
 */
public final class PackagedPlacement implements QuarkusTestResourceLifecycleManager {
    private static String url;
    private ServiceProcess service;

    public static String url() {
        return url;
    }

    @Override
    public Map<String, String> start() {
        url = System.getProperty("berth.test.placement");
        if (url == null) {
            service = ServiceProcess.start(Path.of("..", "placement-service"), PostgresForTests.server().url());
            url = service.url();
        }
        return Map.of("berth.placement-url", url);
    }

    @Override
    public void stop() {
        if (service != null) {
            service.close();
        }
    }
}
