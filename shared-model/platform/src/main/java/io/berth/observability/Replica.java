package io.berth.observability;

import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** This process among others of its service: for whoever wants to see which of them answers, and what runs there. */
@Singleton
public class Replica {
    private final String name = hostName() + "/" + ProcessHandle.current().pid();
    /** Of the process: nobody may have asked for long. */
    private final Instant startedAt = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    private final String version;

    Replica(@ConfigProperty(name = "quarkus.application.version") String version) {
        this.version = version;
    }

    /** {@code name} (host and process id), {@code version}, {@code started_at}. */
    public JsonObject render() {
        return new JsonObject().put("name", name).put("version", version).put("started_at", startedAt.toString());
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
