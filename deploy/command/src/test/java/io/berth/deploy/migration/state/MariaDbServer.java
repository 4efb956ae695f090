package io.berth.deploy.migration.state;

import io.berth.deploy.process.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** A MariaDB of this machine (package mariadb-server) with an empty database, until it is closed. */
final class MariaDbServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/mariadbd");

    private final Process process;
    private final String address;

    private MariaDbServer(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    static MariaDbServer start(Path folder) throws IOException, InterruptedException {
        String data = folder.resolve("data").toString();
        Process install = run(folder, "mariadb-install-db", "--no-defaults", "--user=root", "--datadir=" + data,
                "--auth-root-authentication-method=normal", "--skip-test-db");
        if (install.waitFor() != 0) {
            throw new IOException(Files.readString(folder.resolve("log")));
        }
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Process process = run(folder, PROGRAM.toString(), "--no-defaults", "--user=root", "--datadir=" + data,
                "--port=" + port, "--bind-address=127.0.0.1", "--skip-name-resolve",
                "--socket=" + folder.resolve("socket"), "--pid-file=" + folder.resolve("pid"));
        var server = new MariaDbServer(process, "127.0.0.1:" + port);
        Await.eventually("MariaDB answers", server::makesItsDatabase);
        return server;
    }

    private static Process run(Path folder, String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile())).start();
    }

    private boolean makesItsDatabase() {
        try (var connection = DriverManager.getConnection("jdbc:mariadb://" + address + "/", "root", "")) {
            connection.createStatement().execute("CREATE DATABASE IF NOT EXISTS placement");
            connection.createStatement().execute("CREATE USER IF NOT EXISTS placement IDENTIFIED BY 'so secret@'");
            connection.createStatement().execute("GRANT SELECT ON placement.* TO placement");
            return true;
        } catch (SQLException notYet) {
            return false;
        }
    }

    String jdbcUrl() {
        return "jdbc:mariadb://" + address + "/placement?allowMultiQueries=true";
    }

    /** As placement.conf has it. */
    String url() {
        return "mysql+pymysql://placement:so%20secret%40@" + address + "/placement?charset=utf8";
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
    }
}
