package io.berth.deploy.checks.dependencies;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the compiled classes against the table "What must not depend on what" of {@code docs/ARCHITECTURE.md}. */
class DependenciesTest {
    static List<Rule> rules() {
        return Rule.ofTheArchitecture(Compiled.CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void classesFollowTheRule(Rule rule) {
        assertThat(rule.namesOfNothing(Compiled.CLASSES)).isEmpty();
        rule.asArchRule().check(Compiled.CLASSES);
    }

    @Test
    void rulesCoverBothServicesAndTheSharedPackages() {
        assertThat(rules()).flatExtracting(Rule::packages).contains(
                "io.berth.model", "io.berth.http", "io.berth.identity", "io.berth.placement", "io.berth.scheduler");
    }

    /** Rules in another table of the document would have no effect. */
    @Test
    void allRulesAreInOneTable() throws IOException {
        String names = " (`[a-z][a-z._]*`(, )?)+ \\|";
        assertThat(Files.readString(ProjectFiles.ROOT.resolve("docs/ARCHITECTURE.md")).lines()
                .filter(line -> line.matches("\\|" + names + names)))
                .hasSameSizeAs(rules());
    }

    /** A feature is a package directly below the service's package, with its subpackages. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void featuresFormNoCycle(String service) {
        slices().matching("io.berth." + service + ".(*)..").should().beFreeOfCycles().check(Compiled.CLASSES);
    }

    /** A package with more classes is hard to read; each filter and each weigher has its own class. */
    @Test
    void packagesHaveAtMostTwentyClasses() {
        assertThat(Compiled.CLASSES.stream()
                .filter(each -> !each.isNestedClass() && !each.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackageName)
                .filter(name -> !name.matches("io\\.berth\\.scheduler\\.(filter|weigher)"))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
                .isNotEmpty()
                .allSatisfy((name, count) -> assertThat(count).isLessThanOrEqualTo(20));
    }

    @Test
    void packagesOfTheSchedulerFormNoCycle() {
        slices().matching("io.berth.scheduler.(**)").should().beFreeOfCycles().check(Compiled.CLASSES);
    }
}
