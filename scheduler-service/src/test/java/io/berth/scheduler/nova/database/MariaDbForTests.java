package io.berth.scheduler.nova.database;

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

/** A MariaDB of its own, Debian's (package mariadb-server-core), gone with its data when it is closed. */
final class MariaDbForTests implements AutoCloseable {
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final Path INSTALL = Path.of("/usr/bin/mariadb-install-db");

    private final Path folder;
    private final int port;
    private final Process server;

    /** Why there is none; null where it can be started. */
    static String missing() {
        return Files.isExecutable(SERVER) && Files.isExecutable(INSTALL)
                ? null
                : "no MariaDB on this machine (Debian: apt-get install mariadb-server-core)";
    }

    MariaDbForTests() {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = any.getLocalPort();
            folder = Files.createTempDirectory("berth-mariadb");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String data = "--datadir=" + folder.resolve("data");
        try {
            int made = start("install", INSTALL.toString(), "--no-defaults", data, "--skip-test-db",
                    "--auth-root-authentication-method=normal").waitFor();
            if (made != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("install.log")));
            }
            Files.writeString(folder.resolve("init.sql"), "GRANT ALL ON *.* TO nova@'127.0.0.1' IDENTIFIED BY 'sec%ret';\n");
            server = start("server", SERVER.toString(), "--no-defaults", data, "--port=" + port,
                    "--bind-address=127.0.0.1", "--socket=" + folder.resolve("socket"), "--skip-name-resolve",
                    "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M",
                    "--init-file=" + folder.resolve("init.sql"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Await.eventually("MariaDB takes connections", () -> {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return probe.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    private Process start(String name, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command));
        if (System.getProperty("user.name").equals("root")) {
            words.add("--user=root");
        }
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    int port() {
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
