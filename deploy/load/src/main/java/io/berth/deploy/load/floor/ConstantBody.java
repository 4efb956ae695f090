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

/** A {@link ConstantBodyMain} in a process of its own, as the services are. */
public final class ConstantBody implements AutoCloseable {
    private final Process process;
    private final int port;
    private final int bytes;

    private ConstantBody(Process process, int port, int bytes) {
        this.process = process;
        this.port = port;
        this.bytes = bytes;
    }

    /** Returns when it listens. */
    public static ConstantBody start(int bytes) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // The heap of the services; deploy/lib/services.sh.
        Process process = new ProcessBuilder(List.of(java, "-Xmx1g", "-XX:MaxNewSize=128m", "-XX:G1HeapRegionSize=4m",
                        "--sun-misc-unsafe-memory-access=allow", "-cp",
                        System.getProperty("java.class.path"),
                        ConstantBodyMain.class.getName(), Integer.toString(bytes)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (line == null || !line.startsWith("port ")) {
            process.destroyForcibly();
            throw new IOException("the server of a constant body did not start: " + line);
        }
        return new ConstantBody(process, Integer.parseInt(line.substring("port ".length())), bytes);
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

    @Override
    public void close() {
        process.destroy();
    }
}
