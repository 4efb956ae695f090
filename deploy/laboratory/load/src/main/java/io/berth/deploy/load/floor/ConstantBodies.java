package io.berth.deploy.load.floor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts servers that respond with a constant body. Each runs in a process of its own, with the Java of this process
 * and the JVM options of a measured service.
 *
 * @param quarkusApp folder with the {@code quarkus-run.jar} of deploy/laboratory/constant-body
 * @param javaOptions the JVM options of the measured services, such as the size of the heap
 */
public record ConstantBodies(Path quarkusApp, List<String> javaOptions) {
    public ConstantBodies {
        javaOptions = List.copyOf(javaOptions);
    }

    /**
     * Starts a server on placement's HTTP stack with a body of {@code bytes} bytes, and waits until the server listens.
     * The process runs in the folder of the application, so that it reads no other configuration file.
     */
    public ConstantBody startQuarkus(int bytes) throws IOException, InterruptedException {
        Path folder = quarkusApp.toAbsolutePath();
        return ConstantBody.start(ConstantBody.Stack.QUARKUS_REST, command(
                "-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=0", "-Dberth.constant-body.bytes=" + bytes,
                "-jar", folder.resolve("quarkus-run.jar").toString()), folder, bytes);
    }

    /** Starts a server on Vert.x alone with a body of {@code bytes} bytes, and waits until the server listens. */
    public ConstantBody startVertx(int bytes) throws IOException, InterruptedException {
        return ConstantBody.start(ConstantBody.Stack.VERTX, command(
                "--sun-misc-unsafe-memory-access=allow", "-cp", System.getProperty("java.class.path"),
                ConstantBodyMain.class.getName(), Integer.toString(bytes)), Path.of("").toAbsolutePath(), bytes);
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of(arguments));
        return command;
    }
}
