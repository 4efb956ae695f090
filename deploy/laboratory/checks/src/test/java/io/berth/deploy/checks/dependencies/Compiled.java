package io.berth.deploy.checks.dependencies;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.berth.deploy.checks.ProjectFiles;
import java.util.stream.Stream;

/** The classes of both services and of what they share, as Maven has just compiled them. */
public final class Compiled {
    public static final JavaClasses CLASSES = new ClassFileImporter().importPaths(Stream.of(
            "shared-model/model", "shared-model/platform", "shared-model/identity", "shared-model/scheduler-spi",
            "placement-service", "scheduler-service", "scheduler-service/engine", "scheduler-service/core",
            "scheduler-service/legacy", "scheduler-service/analysis", "scheduler-service/console",
            "scheduler-service/nova")
            .map(module -> ProjectFiles.ROOT.resolve(module).resolve("target/classes"))
            .toList());

    private Compiled() {}
}
