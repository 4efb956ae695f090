package io.berth.deploy.faults;

import java.nio.file.Path;

/** The folders of the services that are started as they are packaged. */
final class Packaged {
    static final Path PLACEMENT = service("placement-service");
    static final Path SCHEDULER = service("scheduler-service");

    private Packaged() {}

    static Path service(String module) {
        return Path.of("..", "..", "..", module);
    }
}
