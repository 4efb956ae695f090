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
 * A PostgreSQL server whose data are in a folder that only the folder's owner may enter. Listens only on loopback. May
 * be started by an ordinary user or by root; if started by root, the binaries run without root's capabilities.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);
    /** The folder, relative to the root of the project, in which all tests share the unpacked binaries. */
    private static final Path TEST_FOLDER = Path.of("deploy", "laboratory", "embedded-postgres", "target", "postgres");

    private static final String TEST_PASSWORD = "postgres";
    private static final int PASSWORD_BYTES = 24;
    /**
     * The line of pg_hba.conf while no password is known: accepts every login from loopback, so that a password can be
     * set.
     */
    private static final String HBA_TRUST = "host all all 127.0.0.1/32 trust\n";
    /** The line of pg_hba.conf that requires a password. */
    private static final String HBA_PASSWORD = "host all all 127.0.0.1/32 scram-sha-256\n";

    private final EmbeddedPostgres server;
    private final String password;

    private PostgresServer(EmbeddedPostgres server, String password) {
        this.server = server;
        this.password = password;
    }

    /**
     * Copies the data of a stopped server to another folder. A server that is started in that folder is a standby that
     * receives no WAL, and so does not have what is written to the original server later.
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
     * Starts a server with durable settings. It keeps its data, and requires the password in {@code FOLDER/password}
     * for every login. The first start creates the cluster. If the file is missing, for a new cluster or for data that
     * were restored without the file, a password is generated.
     *
     * @param port 0 for any free port
     */
    public static PostgresServer startWithPassword(Path folder, int port) throws IOException, SQLException {
        Path passwordFile = folder.resolve("password");
        Path hbaFile = folder.resolve("data").resolve("pg_hba.conf");
        makePrivate(folder);
        if (!Files.exists(passwordFile)) {
            if (Files.exists(hbaFile)) {
                writePrivately(hbaFile, HBA_TRUST);
            }
            byte[] bytes = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(bytes);
            writePrivately(passwordFile, HexFormat.of().formatHex(bytes));
        }
        String password = Files.readString(passwordFile);
        EmbeddedPostgres server = builder(folder, port, true, true)
                // These two options are passed to initdb, and so apply only to a new cluster.
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", passwordFile.toString())
                .setConnectConfig("password", password)
                // Logs the reason if the server does not start; errors of statements go only to the client.
                .setServerConfig("log_min_messages", "log")
                .setOutputRedirector(ProcessBuilder.Redirect.INHERIT)
                .setErrorRedirector(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (Files.readString(hbaFile).equals(HBA_TRUST)) {
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER ROLE postgres PASSWORD '" + password + "'");
                writePrivately(hbaFile, HBA_PASSWORD);
                statement.execute("SELECT pg_reload_conf()");
            }
        }
        return new PostgresServer(server, password);
    }

    /** Writes or replaces a file atomically. Only the owner of the file may read it. */
    static void writePrivately(Path file, String text) throws IOException {
        Path newFile = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(newFile);
        Files.createFile(newFile, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(newFile, text);
        Files.move(newFile, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Starts a server for tests that accepts every login from loopback. The first start creates the cluster.
     *
     * @param folder folder of the data; created if it does not exist
     * @param port 0 for any free port
     * @param keepData whether the data are kept on {@link #close}
     * @param durable whether fsync, synchronous_commit and full_page_writes are on; if they are, transactions cannot be
     *         prepared
     */
    public static PostgresServer start(Path folder, int port, boolean keepData, boolean durable) throws IOException {
        return new PostgresServer(builder(folder, port, keepData, durable).start(), TEST_PASSWORD);
    }

    private static EmbeddedPostgres.Builder builder(Path folder, int port, boolean keepData, boolean durable)
            throws IOException {
        makePrivate(folder);
        Path data = folder.resolve("data");
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(!keepData)
                .setOverrideWorkingDirectory(binaries(folder).toFile())
                .setPGStartupWait(STARTUP_TIMEOUT)
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("max_connections", "200")
                .setServerConfig("shared_buffers", "128MB")
                // Only tests prepare transactions, and only on servers that are not durable.
                .setServerConfig("max_prepared_transactions", durable ? "0" : "10")
                .setServerConfig("log_min_messages", "warning");
        if (port != 0) {
            builder.setPort(port);
        }
        // The library turns fsync off by default, unlike PostgreSQL.
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

    /** Returns the URL, in the form of BERTH_DATABASE_URL, of a server for tests on this port. */
    static String url(int port) {
        return url(TEST_PASSWORD, port);
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
     * Returns the folder of PostgreSQL's unpacked binaries. All tests of a build, for which Maven sets the property
     * berth.root, share one folder, because unpacking takes four times as long as creating a cluster. Without the
     * property, the binaries are in {@code folder}.
     */
    private static Path binaries(Path folder) throws IOException {
        String projectRoot = System.getProperty("berth.root");
        Path parent = projectRoot == null ? folder : Path.of(projectRoot).resolve(TEST_FOLDER);
        makePrivate(parent);
        return parent.resolve("binaries");
    }

    /**
     * Creates a folder that other users may not enter, because the unpacked binaries in it are writable for every user.
     */
    private static void makePrivate(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
}
