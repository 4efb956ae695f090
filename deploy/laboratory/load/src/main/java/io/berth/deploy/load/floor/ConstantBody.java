package io.berth.deploy.load.floor;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.http.HttpMethod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server in a process of its own that responds to every {@code GET /constant} with the same bytes. The process prints
 * {@code port N} when the server listens. It ends when its standard input is closed, and so never outlives its parent.
 */
public final class ConstantBody implements AutoCloseable {
    private static final int START_SECONDS_MAX = 60;
    private static final int STOP_SECONDS_MAX = 10;

    /** The HTTP server of the body. */
    public enum Stack {
        /** The stack of placement: deploy/laboratory/constant-body. */
        QUARKUS_REST("constant body"),
        /** The HTTP server below Quarkus: {@link ConstantBodyMain}. */
        VERTX("bare Vert.x");

        private final String label;

        Stack(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    private final Stack stack;
    private final Process process;
    private final int port;
    private final int bytes;

    private ConstantBody(Stack stack, Process process, int port, int bytes) {
        this.stack = stack;
        this.process = process;
        this.port = port;
        this.bytes = bytes;
    }

    /**
     * Starts the server, and waits until it listens.
     *
     * @param folder the working folder of the process
     * @throws IOException if the process ends or the server does not listen within {@value #START_SECONDS_MAX} seconds
     */
    static ConstantBody start(Stack stack, List<String> command, Path folder, int bytes)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        CompletableFuture<Integer> port = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> readOutput(process, port));
        try {
            return new ConstantBody(stack, process, port.get(START_SECONDS_MAX, TimeUnit.SECONDS), bytes);
        } catch (ExecutionException e) {
            throw notStarted(stack, process, e.getCause().getMessage());
        } catch (TimeoutException e) {
            throw notStarted(stack, process, "not within %d seconds".formatted(START_SECONDS_MAX));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static IOException notStarted(Stack stack, Process process, String reason) {
        process.destroyForcibly();
        return new IOException("%s: the server did not start: %s".formatted(stack.label(), reason));
    }

    /**
     * Reads the output of the process until the process ends, so that the process never blocks on a full pipe.
     * Completes {@code port}.
     */
    private static void readOutput(Process process, CompletableFuture<Integer> port) {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.matches("port \\d{1,5}")) {
                    port.complete(Integer.parseInt(line.substring("port ".length())));
                }
            }
            port.completeExceptionally(new IOException("the process ended"));
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
    }

    public Stack stack() {
        return stack;
    }

    public Target target() {
        return new Target("127.0.0.1", port, "", "none");
    }

    public long pid() {
        return process.pid();
    }

    /** Returns endless requests for the constant body, with this kind as their label. */
    public Traffic traffic(String kind) {
        var exchange = new Exchange(kind, HttpMethod.GET, "/constant", null, false,
                response -> response.status() == 200 && response.bytes() == bytes
                        ? Outcome.GOOD
                        : response.wrong(kind));
        return () -> exchange;
    }

    /** Stops the server, and waits until it has ended. After {@value #STOP_SECONDS_MAX} seconds, kills it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
