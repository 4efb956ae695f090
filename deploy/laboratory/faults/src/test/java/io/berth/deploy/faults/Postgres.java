package io.berth.deploy.faults;

import io.berth.deploy.postgres.PostgresServer;
import io.berth.model.DatabaseUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL that syncs to disk and can be killed and started again on the same data and port. */
final class Postgres implements AutoCloseable {
    private static final int STARTS_MAX = 5;
    private static final int EXIT_SECONDS_MAX = 10;

    private final Path folder;
    private final int port;
    private final boolean isTemporary;
    private PostgresServer server;

    private Postgres(Path folder, boolean isTemporary) throws IOException {
        this.server = PostgresServer.start(folder, 0, true, true);
        this.folder = folder;
        this.isTemporary = isTemporary;
        this.port = server.port();
    }

    /** Starts PostgreSQL in a temporary folder. */
    static Postgres start() {
        try {
            return new Postgres(Files.createTempDirectory("berth-faults-postgres"), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param folder an existing folder, which remains afterwards */
    static Postgres start(Path folder) throws IOException {
        return new Postgres(folder, false);
    }

    int port() {
        return port;
    }

    /** Returns the value of BERTH_DATABASE_URL for another port that leads here. */
    String url(int by) {
        return server.url().replace(":" + port + "/", ":" + by + "/");
    }

    /** Kills all processes with SIGKILL. */
    void kill() {
        List<ProcessHandle> all = processes();
        // The postmaster is killed first, because it restarts the others.
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> awaitExit(process.onExit()));
    }

    boolean isAlive() {
        return !processes().isEmpty();
    }

    private List<ProcessHandle> processes() {
        try {
            long pid = Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid")).getFirst().strip());
            return ProcessHandle.of(pid)
                    .map(postmaster -> {
                        List<ProcessHandle> all = new ArrayList<>(List.of(postmaster));
                        postmaster.descendants().forEach(all::add);
                        return all;
                    })
                    .orElse(List.of());
        } catch (IOException e) {
            return List.of();
        }
    }

    private static void awaitExit(CompletableFuture<ProcessHandle> exit) {
        exit.completeOnTimeout(null, EXIT_SECONDS_MAX, TimeUnit.SECONDS).join();
    }

    /** Starts PostgreSQL again after {@link #kill}; returns when it accepts connections. */
    void startAgain() {
        IOException last = null;
        for (int i = 0; i < STARTS_MAX; i++) {
            try {
                server.close();
                server = PostgresServer.start(folder, port, true, true);
                return;
            } catch (IOException notYet) {
                last = notYet;
            }
        }
        throw new UncheckedIOException("PostgreSQL did not start again", last);
    }

    /** Creates a separate database and returns its value of BERTH_DATABASE_URL, which leads directly to the server. */
    String newDatabase() throws SQLException {
        String name = "faults_" + UUID.randomUUID().toString().replace('-', '_');
        try (Connection connection = connect(); var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return server.url().replaceFirst("/[^/]*$", "/" + name);
    }

    /** Connects directly to the server, not through a wire. */
    Connection connect() throws SQLException {
        return connect(server.url());
    }

    /** @param url of one of its databases */
    static Connection connect(String url) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "60");
        properties.setProperty("ApplicationName", "faults");
        return DriverManager.getConnection(DatabaseUrl.parse(url).jdbcUrl("placement"), properties);
    }

    @Override
    public void close() {
        if (isTemporary) {
            server.closeAndRemove(folder);
            return;
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
