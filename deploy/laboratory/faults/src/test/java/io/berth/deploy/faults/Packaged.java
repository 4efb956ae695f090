package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Path;
import java.util.Map;

/** The folders of the packaged services that the tests start. */
final class Packaged {
    static final Path PLACEMENT = service("placement-service");
    static final Path SCHEDULER = service("scheduler-service");

    private Packaged() {}

    static Path service(String module) {
        return Path.of("..", "..", "..", module);
    }

    /** Returns the failure of a service that does not start; null if it starts. */
    static Throwable refusal(String module, Map<String, String> environment) {
        return catchThrowable(() -> ServiceProcess.start(service(module), environment).close());
    }
}
