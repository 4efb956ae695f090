package io.berth.deploy.checks.dependencies;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.berth.deploy.checks.ProjectFiles;

/** The classes of both services and of what they share, as Maven has just compiled them. */
public final class Compiled {
    public static final JavaClasses CLASSES = new ClassFileImporter().importPaths(
            ProjectFiles.modules().stream().map(module -> module.resolve("target/classes")).toList());

    private Compiled() {}
}
