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
import java.util.concurrent.TimeUnit;

/**
 * A server in a process of its own, as the services are, that answers every {@code GET /constant} with as many bytes.
 * It prints {@code port N} when it listens, and ends with its standard input: with this process, however that ends.
 */
public final class ConstantBody implements AutoCloseable {
    private static final int START_SECONDS_MAX = 60;
    private static final int STOP_SECONDS_MAX = 10;

    /** What serves it. */
    public enum Stack {
        /** As placement has it: deploy/constant-body. */
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
     * Returns when it listens.
     *
     * @param folder where the process works
     */
    static ConstantBody start(Stack stack, List<String> command, Path folder, int bytes) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = CompletableFuture.supplyAsync(() -> output.lines().findFirst().orElse("it ended"))
                .completeOnTimeout("no word in %d s".formatted(START_SECONDS_MAX), START_SECONDS_MAX, TimeUnit.SECONDS)
                .join();
        if (!line.matches("port \\d{1,5}")) {
            process.destroyForcibly();
            throw new IOException("%s: its server did not start: %s".formatted(stack.label(), line));
        }
        return new ConstantBody(stack, process, Integer.parseInt(line.substring("port ".length())), bytes);
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

    public Traffic traffic(String kind) {
        var exchange = new Exchange(kind, HttpMethod.GET, "/constant", null, false, answer ->
                answer.status() == 200 && answer.bytes() == bytes ? Outcome.GOOD : answer.wrong(kind));
        return () -> exchange;
    }

    /** Returns when it has ended. */
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
