package io.berth.scheduler;

import io.berth.database.DatabaseOptions;
import io.berth.model.process.HealthProbe;
import io.berth.model.process.NativeHeap;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * The entry point of the process. Starts the service. With the only argument {@code health}, instead checks whether the
 * service that runs on this machine is ready, and exits with 0 if it is, otherwise with 1.
 */
@QuarkusMain
public final class SchedulerMain {
    /** The default port of the service, for the health check. */
    private static final int PORT = 8779;

    private SchedulerMain() {}

    public static void main(String... args) {
        if (HealthProbe.isRequestedBy(args)) {
            System.exit(HealthProbe.run(System.getenv(), PORT));
        }
        // These two calls must precede the start of Quarkus, which reads the configuration.
        NativeHeap.limit(System.getenv());
        DatabaseOptions.requireUrl();
        Quarkus.run(args);
    }
}
