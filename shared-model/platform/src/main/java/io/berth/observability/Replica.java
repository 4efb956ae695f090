package io.berth.observability;

import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The name, version and start time of this process, which identify it among the replicas of its service. */
@Singleton
public class Replica {
    private final String name = hostName() + "/" + ProcessHandle.current().pid();
    /** The start time of the process; this bean may be created much later. */
    private final Instant startedAt = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
    private final String version;

    Replica(@ConfigProperty(name = "quarkus.application.version") String version) {
        this.version = version;
    }

    /** Returns an object with {@code name} (host and process id), {@code version} and {@code started_at} (UTC). */
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
