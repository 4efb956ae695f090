package io.berth.deploy.postgres;

import io.berth.model.DatabaseUrl;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/**
 * One PostgreSQL server per test JVM, shared by all of its test classes and stopped with the JVM. As a test resource of
 * Quarkus, the class sets {@code berth.database-url} to the server's default database.
 *
 * <p>Each start of Quarkus loads this class in a new class loader. Therefore the port is in a system property, not in a
 * static field.
 */
public final class PostgresForTests implements QuarkusTestResourceLifecycleManager {
    private static final String PORT_PROPERTY = "berth.test.postgres-port";

    /** Returns the port of the server. The first call starts the server. */
    public static synchronized int port() {
        if (System.getProperty(PORT_PROPERTY) == null) {
            try {
                Path folder = Files.createTempDirectory("berth-test-postgres");
                PostgresServer server = PostgresServer.start(folder, 0, false, false);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> server.closeAndRemove(folder)));
                System.setProperty(PORT_PROPERTY, String.valueOf(server.port()));
            } catch (IOException e) {
                throw new UncheckedIOException("no PostgreSQL for the tests", e);
            }
        }
        return Integer.getInteger(PORT_PROPERTY);
    }

    /** Returns the URL in the form of BERTH_DATABASE_URL. */
    public static String url() {
        return PostgresServer.url(port());
    }

    /** Returns the URL, in the form of BERTH_DATABASE_URL, of a new empty database. */
    public static String newDatabase() {
        String name = "own_" + UUID.randomUUID().toString().replace("-", "");
        run(url(), "CREATE DATABASE " + name);
        return url().replaceFirst("/[^/]*$", "/" + name);
    }

    /**
     * Runs statements in a database.
     *
     * @param sql statements, separated by semicolons; names of tables must be qualified with their schema
     */
    public static void run(String databaseUrl, String sql) {
        DatabaseUrl url = DatabaseUrl.parse(databaseUrl);
        try (var connection = DriverManager.getConnection(url.jdbcUrl("public"), url.user(), url.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /**
     * Returns the number of sessions in the server's default database that wait for a lock in a statement that contains
     * {@code statement}.
     */
    public static int countWaitingForLock(String statement) {
        return countWaitingForLock(url(), statement);
    }

    /** Returns the number of sessions as {@link #countWaitingForLock(String)}, for the database of a URL. */
    public static int countWaitingForLock(String databaseUrl, String statement) {
        DatabaseUrl url = DatabaseUrl.parse(databaseUrl);
        try (var connection = DriverManager.getConnection(url.jdbcUrl("public"), url.user(), url.password());
                var count = connection.createStatement().executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND datname = current_database()"
                        + " AND query LIKE '%" + statement + "%'")) {
            count.next();
            return count.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, String> start() {
        return Map.of("berth.database-url", url());
    }

    @Override
    public void stop() {
        // The server stays for the next test class, and ends with the JVM.
    }
}
