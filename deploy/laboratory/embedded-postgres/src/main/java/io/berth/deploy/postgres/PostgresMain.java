package io.berth.deploy.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The process that {@code deploy/up} starts if BERTH_DATABASE_URL is not set. Starts a PostgreSQL server in a folder,
 * and writes the URL of the server to {@code FOLDER/url} once the server accepts connections. On SIGTERM, deletes this
 * file and stops the server. The data stay in the folder.
 *
 * <p>Arguments: FOLDER PORT, in which PORT is 0 for any free port.
 */
public final class PostgresMain {
    private static final Duration CHILD_STOP_TIMEOUT = Duration.ofSeconds(5);

    private PostgresMain() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: PostgresMain FOLDER PORT");
            System.exit(2);
        }
        Path folder = Path.of(args[0]).toAbsolutePath();
        var started = new AtomicReference<PostgresServer>();
        // Registered before the server starts, because SIGTERM may arrive during the start.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(folder, started.get())));
        var server = PostgresServer.startWithPassword(folder, Integer.parseInt(args[1]));
        started.set(server);
        PostgresServer.writePrivately(folder.resolve("url"), server.url() + "\n");
        System.out.println("PostgreSQL ready on port " + server.port());
        new CountDownLatch(1).await();
    }

    /**
     * Deletes the file with the URL, stops the server and all child processes, and waits until they have ended. If a
     * child process takes longer than {@link #CHILD_STOP_TIMEOUT}, prints an error and waits no longer.
     *
     * @param server null if the server has not started yet; initdb may then be running, and is stopped as a child
     *         process
     */
    private static void stop(Path folder, PostgresServer server) {
        try {
            Files.deleteIfExists(folder.resolve("url"));
            if (server != null) {
                server.close();
            }
            List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
            children.forEach(ProcessHandle::destroy);
            for (ProcessHandle child : children) {
                child.onExit().get(CHILD_STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (IOException | ExecutionException | TimeoutException e) {
            System.err.println("stopping PostgreSQL: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
