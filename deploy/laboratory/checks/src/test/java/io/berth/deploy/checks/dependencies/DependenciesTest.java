package io.berth.deploy.checks.dependencies;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.berth.deploy.checks.ProjectFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table "What must not depend on what" of {@code docs/ARCHITECTURE.md}, held against the classes. */
class DependenciesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(Stream.of(
                    "shared-model/model", "shared-model/platform", "shared-model/identity", "placement-service",
                    "scheduler-service")
            .map(DependenciesTest::compiled)
            .toList());

    private static Path compiled(String module) {
        return ProjectFiles.ROOT.resolve(module).resolve("target/classes");
    }

    static List<Rule> rules() {
        return Rule.ofTheArchitecture(CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holds(Rule rule) {
        assertThat(rule.namesOfNothing(CLASSES)).isEmpty();
        rule.asArchRule().check(CLASSES);
    }

    @Test
    void bindsBothServicesAndWhatTheyShare() {
        assertThat(rules()).flatExtracting(Rule::packages).contains(
                "io.berth.model", "io.berth.http", "io.berth.identity", "io.berth.placement", "io.berth.scheduler");
    }

    /** A feature is a package directly below the service's, with those below it. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void featuresFormNoCycle(String service) {
        slices().matching("io.berth." + service + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }
}
