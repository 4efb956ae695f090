package io.berth.deploy.checks.dependencies;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One line of the table "What must not depend on what".
 *
 * @param packages the packages that the rule restricts, with their subpackages; full names
 * @param never the packages that they must not use, with their subpackages; full names. Packages that are also in
 *     {@code packages} are allowed.
 */
record Rule(List<String> packages, List<String> never) {
    private static final String HEADING = "## What must not depend on what";
    private static final Pattern NAME = Pattern.compile("`([a-z][a-z.]*)`");

    /** Returns the rules in the document's order. */
    static List<Rule> ofTheArchitecture(JavaClasses classes) {
        String text;
        try {
            text = Files.readString(ProjectFiles.ROOT.resolve("docs/ARCHITECTURE.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String section = text.substring(text.indexOf(HEADING) + HEADING.length()).split("\n## ")[0];
        List<Rule> rules = new ArrayList<>();
        for (String line : section.lines().filter(each -> each.startsWith("| `")).toList()) {
            String[] cells = line.split("\\|");
            rules.add(new Rule(names(cells[1], classes), names(cells[2], classes)));
        }
        return rules;
    }

    /** Resolves the names of a cell; short names are those of Berth's packages. */
    private static List<String> names(String cell, JavaClasses classes) {
        return NAME.matcher(cell).results().map(found -> name(found, classes)).toList();
    }

    private static String name(MatchResult found, JavaClasses classes) {
        String ours = "io.berth." + found.group(1);
        return classes.stream().anyMatch(in(List.of(ours))) ? ours : found.group(1);
    }

    ArchRule asArchRule() {
        return ArchRuleDefinition.noClasses().that(in(packages))
                .should().dependOnClassesThat(in(never).and(DescribedPredicate.not(in(packages))))
                .as(String.join(", ", packages) + " must not depend on " + String.join(", ", never));
    }

    /** Returns the names that match no class and no use, so that the rule would forbid nothing. */
    List<String> namesOfNothing(JavaClasses classes) {
        List<String> nothing = new ArrayList<>(packages);
        nothing.removeIf(name -> classes.stream().anyMatch(in(List.of(name))));
        for (String name : never) {
            if (classes.stream().noneMatch(user -> user.getDirectDependenciesFromSelf().stream()
                    .anyMatch(use -> in(List.of(name)).test(use.getTargetClass())))) {
                nothing.add(name);
            }
        }
        return nothing;
    }

    private static DescribedPredicate<JavaClass> in(List<String> packages) {
        return DescribedPredicate.describe("in " + String.join(", ", packages), each -> packages.stream()
                .anyMatch(name -> each.getPackageName().equals(name) || each.getPackageName().startsWith(name + ".")));
    }
}
