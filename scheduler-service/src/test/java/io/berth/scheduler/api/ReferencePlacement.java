package io.berth.scheduler.api;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Placement service for tests that need a real one: the one at {@code -Dberth.test.placement=URL} (its content is
 * changed), or the reference that the script {@code oracle/placement} starts, looked for in {@code -Dberth.shared} and
 * beside the project. Without either, the tests that use it are skipped; {@link #url} is null then.
 */
public final class ReferencePlacement implements QuarkusTestResourceLifecycleManager {
    private static final Path SCRIPT = Stream.of(System.getProperty("berth.shared", ""), "../../shared", "../shared")
            .map(folder -> Path.of(folder, "oracle", "placement"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    /** Of this JVM alone: another test run on the machine starts and stops its own. */
    private static final int PORT = freePort();

    private static String url;
    private boolean startedHere;

    /** Null when there is none. */
    static String url() {
        return url;
    }

    @Override
    public Map<String, String> start() {
        url = System.getProperty("berth.test.placement");
        if (url == null && SCRIPT != null) {
            run("start");
            startedHere = true;
            url = "http://127.0.0.1:" + PORT;
        }
        return url == null ? Map.of() : Map.of("berth.placement-url", url);
    }

    @Override
    public void stop() {
        if (startedHere) {
            run("stop");
        }
    }

    private static void run(String verb) {
        try {
            Process process = new ProcessBuilder(SCRIPT.toString(), verb, "--port", Integer.toString(PORT))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(SCRIPT + " " + verb + " takes more than a minute");
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(SCRIPT + " " + verb + " ended with " + process.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
