package io.berth.deploy.checks.dependencies;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.berth.deploy.checks.ProjectFiles;

/** The compiled classes of both services and of the modules that they share. */
public final class Compiled {
    public static final JavaClasses CLASSES = new ClassFileImporter().importPaths(
            ProjectFiles.modules().stream().map(module -> module.resolve("target/classes")).toList());

    private Compiled() {}
}
