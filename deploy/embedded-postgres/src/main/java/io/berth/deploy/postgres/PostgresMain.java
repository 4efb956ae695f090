package io.berth.deploy.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;

/**
 * The process behind {@code deploy/up} without a BERTH_DATABASE_URL: starts the server, writes its URL to
 * {@code FOLDER/url} once it answers, and stops it on SIGTERM.
 *
 * <p>Arguments: FOLDER PORT. Data stay in the folder. Source: shared design, "Running it".
 */
public final class PostgresMain {
    private PostgresMain() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: PostgresMain FOLDER PORT");
            System.exit(2);
        }
        Path folder = Path.of(args[0]).toAbsolutePath();
        var server = PostgresServer.start(folder, Integer.parseInt(args[1]), true, true);
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Files.deleteIfExists(folder.resolve("url"));
                server.close();
            } catch (Exception e) {
                System.err.println("stopping PostgreSQL: " + e);
            }
            stopped.countDown();
        }));
        Path written = Files.writeString(folder.resolve("url.new"), server.url() + "\n");
        Files.move(written, folder.resolve("url"), StandardCopyOption.ATOMIC_MOVE);
        System.out.println("PostgreSQL ready on port " + server.port());
        stopped.await();
    }
}
