package io.berth.deploy.postgres;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * One PostgreSQL per test JVM, shared by all of its test classes, gone with the JVM. Sets
 * {@code berth.database-url}, as BERTH_DATABASE_URL would.
 */
public final class PostgresForTests implements QuarkusTestResourceLifecycleManager {
    private static PostgresServer shared;

    /** The shared server, started on first use. */
    public static synchronized PostgresServer server() {
        if (shared == null) {
            try {
                Path folder = Files.createTempDirectory("berth-test-postgres");
                shared = PostgresServer.start(folder, 0, false, false);
            } catch (IOException e) {
                throw new UncheckedIOException("no PostgreSQL for the tests", e);
            }
        }
        return shared;
    }

    @Override
    public Map<String, String> start() {
        return Map.of("berth.database-url", server().url());
    }

    @Override
    public void stop() {
        // The server outlives one test class on purpose; zonky's own shutdown hook ends it with the JVM.
    }
}
