package io.berth.deploy.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A packaged Quarkus service in a process of its own, on a loopback port. Its log is read continuously and discarded,
 * except for the first errors and warnings. With {@code -Dberth.test.log=FILE}, all lines are appended to a file.
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");
    private static final int START_SECONDS_MAX = 900;
    private static final int STOP_SECONDS_MAX = 20;

    /** The maximum number of errors and warnings that are kept. */
    private static final int COMPLAINTS_MAX = 100;
    /**
     * JVM options: those of deploy/lib/service.options that concern the garbage collector, the heap and its objects,
     * and a class archive. Only the first compiler (C1) is used, because a test is too short for the second compiler
     * (C2) to pay off.
     */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC", "-Xms128m", "-Xmx224m", "-Xmn80m", "-XX:SurvivorRatio=3",
            "-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=1",
            "-XX:+AutoCreateSharedArchive");

    private final Process process;
    private final String url;
    private final Queue<String> complaints;

    private ServiceProcess(Process process, String url, Queue<String> complaints) {
        this.process = process;
        this.url = url;
        this.complaints = complaints;
    }

    /**
     * Starts the service on a free port, and waits until it listens.
     *
     * @param module folder of the service's Maven module, which has been packaged
     * @param databaseUrl the value of BERTH_DATABASE_URL
     */
    public static ServiceProcess start(Path module, String databaseUrl) {
        return start(module, databaseUrl, 0);
    }

    /**
     * Starts the service like {@link #start(Path, String)}.
     *
     * @param port 0 for any free port
     */
    public static ServiceProcess start(Path module, String databaseUrl, int port) {
        return start(module, Map.of("BERTH_DATABASE_URL", databaseUrl), port);
    }

    /**
     * Starts the service on a free port, and waits until it listens.
     *
     * @param module folder of the service's Maven module, which has been packaged
     * @param environment variables in addition to those of this process, among them BERTH_DATABASE_URL;
     *         QUARKUS_HTTP_PORT is always left out, because this method sets the port
     */
    public static ServiceProcess start(Path module, Map<String, String> environment) {
        return start(module, environment, 0);
    }

    /**
     * Starts the service like {@link #start(Path, Map)}.
     *
     * @param port 0 for any free port
     */
    public static ServiceProcess start(Path module, Map<String, String> environment, int port) {
        Path jar = module.resolve(Path.of("target", "quarkus-app", "quarkus-run.jar")).toAbsolutePath().normalize();
        if (!Files.exists(jar)) {
            throw new IllegalStateException("no " + jar + ": run this test in Maven's verify phase, after package");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of(
                "-XX:SharedArchiveFile=" + module.resolve("target").resolve("classes.jsa").toAbsolutePath().normalize(),
                "-Dquarkus.http.port=" + port, "-Dquarkus.http.host=127.0.0.1", "-jar", jar.toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().remove("QUARKUS_HTTP_PORT");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            CompletableFuture<String> url = new CompletableFuture<>();
            Queue<String> complaints = new ArrayBlockingQueue<>(COMPLAINTS_MAX);
            Thread.ofPlatform().daemon().start(() -> readLog(process, url, complaints));
            return new ServiceProcess(process, url.get(START_SECONDS_MAX, TimeUnit.SECONDS), complaints);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException("the service of " + module + " did not start", e);
        }
    }

    /** Reads the output of the process until the process ends, so that the process never blocks on a full pipe. */
    private static void readLog(Process process, CompletableFuture<String> url, Queue<String> complaints) {
        StringBuilder log = new StringBuilder();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                appendToLogFile(process, line);
                if (line.contains(" ERROR ") || line.contains(" WARN ")) {
                    complaints.offer(line);
                }
                if (!url.isDone()) {
                    log.append(line).append('\n');
                    Matcher listening = LISTENING.matcher(line);
                    if (listening.find()) {
                        url.complete(listening.group(1));
                    }
                }
            }
        } catch (IOException e) {
            log.append(e);
        }
        url.completeExceptionally(new IllegalStateException("the process ended before it listened:\n" + log));
    }

    private static void appendToLogFile(Process process, String line) throws IOException {
        String file = System.getProperty("berth.test.log");
        if (file != null) {
            String entry = process.pid() + " " + line + "\n";
            Files.writeString(Path.of(file), entry, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    /** Returns the URL without a slash at the end. */
    public String url() {
        return url;
    }

    /**
     * Returns the first line of each error that was logged so far. Only the first {@value #COMPLAINTS_MAX} errors and
     * warnings are kept.
     */
    public List<String> errors() {
        return complaints().stream().filter(line -> line.contains(" ERROR ")).toList();
    }

    /** Returns the first line of each error and warning that was logged so far, at most {@value #COMPLAINTS_MAX}. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    public Process process() {
        return process;
    }

    /** Suspends the process with SIGSTOP, until {@link #resume}. */
    public void suspend() {
        signal("STOP");
    }

    /** Resumes the process with SIGCONT; does nothing if it is not suspended. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill -" + name + " " + process.pid() + ": exit status " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the service. Waits until it has ended; after {@value #STOP_SECONDS_MAX} seconds, kills it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }
}
