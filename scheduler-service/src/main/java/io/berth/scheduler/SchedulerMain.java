package io.berth.scheduler;

import io.berth.database.DatabaseOptions;
import io.berth.model.process.HealthProbe;
import io.berth.model.process.NativeHeap;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * Starts the service; with the argument {@code health} it instead queries whether the running service is ready, and
 * exits.
 */
@QuarkusMain
public final class SchedulerMain {
    private static final int PORT = 8779;

    private SchedulerMain() {}

    public static void main(String... args) {
        if (HealthProbe.isMeant(args)) {
            System.exit(HealthProbe.run(System.getenv(), PORT));
        }
        NativeHeap.limit(System.getenv());
        DatabaseOptions.need();
        Quarkus.run(args);
    }
}
