package io.berth.scheduler.api;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.berth.scheduler.openapi.DocumentedResponses;
import io.restassured.RestAssured;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the packaged scheduler with other options than the defaults, as a separate process that uses
 * {@link PackagedPlacement}; another start of Quarkus in the JVM of the tests would take longer. REST Assured sends its
 * requests to it while the tests of the class run.
 */
final class PackagedScheduler implements BeforeAllCallback, AfterAllCallback {
    private final Map<String, String> options;
    private final boolean isAlone;
    private final PackagedPlacement placement = new PackagedPlacement();
    private String databaseUrl;
    private Map<String, String> environment;
    private ServiceProcess service;

    /** @param options keys and values of configuration */
    PackagedScheduler(Map<String, String> options) {
        this(options, false);
    }

    private PackagedScheduler(Map<String, String> options, boolean isAlone) {
        this.options = options;
        this.isAlone = isAlone;
    }

    /** Uses its own Placement; both are on a database of their own, without rows of other tests. */
    static PackagedScheduler alone() {
        return new PackagedScheduler(Map.of(), true);
    }

    String databaseUrl() {
        return databaseUrl;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Map<String, String> all = new HashMap<>(Map.of("berth.placement-sync.enabled", "false"));
        all.putAll(options);
        databaseUrl = isAlone ? PostgresForTests.newDatabase() : PostgresForTests.url();
        all.putAll(isAlone ? placement.startAlone(databaseUrl) : placement.start());
        all.put("berth.database-url", databaseUrl);
        environment = new HashMap<>();
        all.forEach((key, value) -> environment.put(key.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT), value));
        startService();
        DocumentedResponses.compareAll();
    }

    private void startService() {
        service = ServiceProcess.start(Path.of("."), environment);
        RestAssured.port = URI.create(service.url()).getPort();
    }

    /** Kills the process as {@code kill -9} does and starts another one. */
    void killAndStartAgain() throws InterruptedException {
        service.process().destroyForcibly().waitFor();
        startService();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (service == null) {
            // A dependency of the tests is not installed, so they are skipped.
            return;
        }
        RestAssured.port = RestAssured.UNDEFINED_PORT;
        service.close();
        placement.stop();
    }
}
