package io.berth.placement;

import io.berth.database.DatabaseOptions;
import io.berth.model.process.HealthProbe;
import io.berth.model.process.NativeHeap;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * Starts the service. With the argument {@code health}, it queries the readiness of the service that runs on this
 * machine instead, and exits with status 0 if the service is ready, otherwise 1.
 */
@QuarkusMain
public final class PlacementMain {
    private static final int PORT = 8778;

    private PlacementMain() {}

    public static void main(String... args) {
        if (HealthProbe.isRequestedBy(args)) {
            System.exit(HealthProbe.run(System.getenv(), PORT));
        }
        // Both calls must precede the start of Quarkus, which reads the configuration.
        NativeHeap.limit(System.getenv());
        DatabaseOptions.requireUrl();
        Quarkus.run(args);
    }
}
