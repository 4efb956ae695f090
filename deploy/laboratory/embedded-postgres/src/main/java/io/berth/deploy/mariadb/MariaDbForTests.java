package io.berth.deploy.mariadb;

import io.berth.deploy.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A MariaDB server on a free loopback port, run from the programs of Debian's packages. When this object is closed, the
 * server is stopped and its data are deleted.
 */
public final class MariaDbForTests implements AutoCloseable {
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final Path INSTALL_DB = Path.of("/usr/bin/mariadb-install-db");
    /**
     * A program that {@link #INSTALL_DB} calls. It is in the client's package, which the server's package does not
     * require.
     */
    private static final Path PRINT_DEFAULTS = Path.of("/usr/bin/my_print_defaults");

    private final Path folder;
    private final int port;
    private final Process server;

    /** Returns why MariaDB cannot be started on this machine; null if it can be started. */
    public static String whyUnavailable() {
        return Stream.of(SERVER, INSTALL_DB, PRINT_DEFAULTS).allMatch(Files::isExecutable)
                ? null
                : "no MariaDB on this machine (Debian: apt-get install mariadb-server-core mariadb-client-core)";
    }

    /**
     * Starts a server, and waits until it accepts connections.
     *
     * @param statements SQL statements, which the server runs as administrator when it starts; each is one line without
     *         a semicolon at the end
     */
    public MariaDbForTests(String... statements) {
        try (ServerSocket freePort = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = freePort.getLocalPort();
            folder = Files.createTempDirectory("berth-mariadb");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String data = "--datadir=" + folder.resolve("data");
        try {
            int installStatus = start("install", INSTALL_DB.toString(), "--no-defaults", data, "--skip-test-db",
                    "--auth-root-authentication-method=normal").waitFor();
            if (installStatus != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("install.log")));
            }
            Files.writeString(folder.resolve("init.sql"), String.join(";\n", statements) + ";\n");
            server = start("server", SERVER.toString(), "--no-defaults", data, "--port=" + port,
                    "--bind-address=127.0.0.1", "--socket=" + folder.resolve("socket"), "--skip-name-resolve",
                    "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M",
                    "--init-file=" + folder.resolve("init.sql"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Await.eventually("MariaDB accepts connections", () -> {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return probe.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
    }

    private Process start(String name, String... command) throws IOException {
        List<String> commandLine = new ArrayList<>(List.of(command));
        if (System.getProperty("user.name").equals("root")) {
            commandLine.add("--user=root");
        }
        return new ProcessBuilder(commandLine)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        server.destroyForcibly();
        try {
            server.waitFor();
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
