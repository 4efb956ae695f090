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
 * The scheduler of tests that want options other than the defaults: packaged, as a process before
 * {@link PackagedPlacement}; another boot of Quarkus in the JVM of the tests would take longer. REST Assured asks it
 * while the tests of the class run.
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

    /** Before a placement of its own, both on a database of their own: nobody else's rows are there. */
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

    /** As {@code kill -9} does, and another one afterwards. */
    void killAndStartAgain() throws InterruptedException {
        service.process().destroyForcibly().waitFor();
        startService();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (service == null) {
            // What the tests need is not installed: they are skipped.
            return;
        }
        RestAssured.port = RestAssured.UNDEFINED_PORT;
        service.close();
        placement.stop();
    }
}
