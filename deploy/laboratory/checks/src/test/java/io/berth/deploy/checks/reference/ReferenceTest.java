package io.berth.deploy.checks.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.berth.deploy.checks.dependencies.Compiled;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.spi.RequestPrefilter;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the generated pages of {@code docs/reference} match the code. */
class ReferenceTest {
    private static final String WRITE = "./mvnw -B -q -pl deploy/laboratory/checks -am"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ReferenceTest -Dberth.reference=write test";
    private static final Sources SOURCES = new Sources();
    private static final List<Page> PAGES = List.of(
            ClassPages.filters(SOURCES), ClassPages.weighers(SOURCES), ClassPages.prefilters(SOURCES),
            OptionsPage.of(SOURCES), ErrorsPage.of(SOURCES));
    private static final Pattern NAMED_ROW = Pattern.compile("(?m)^\\| `([\\w.-]+)` \\|");

    static List<Page> pages() {
        return PAGES;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pageMatchesTheCode(Page page) throws IOException {
        if ("write".equals(System.getProperty("berth.reference"))) {
            Files.createDirectories(page.file().getParent());
            Files.writeString(page.file(), page.text());
        }
        assertThat(page.file()).as("written by: " + WRITE).exists();
        assertThat(Files.readString(page.file()))
                .as(page + " does not match the code. Generate it with: " + WRITE)
                .isEqualTo(page.text());
    }

    /** No description is an empty cell or an empty section. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyEntryHasADescription(Page page) {
        assertThat(page.text().lines().filter(line -> line.startsWith("| `") && line.endsWith("|  |"))).isEmpty();
        assertThat(page.text()).doesNotContainPattern("(?m)^## .*\n\n(##|- \\*\\*|$)");
    }

    @Test
    void pagesHaveEveryFilterWeigherAndPrefilter() {
        assertThat(sections("filters.md")).hasSize(classes(HostFilter.class, "filter")).hasSizeGreaterThanOrEqualTo(35);
        assertThat(sections("weighers.md")).hasSize(classes(HostWeigher.class, "weigher"))
                .hasSizeGreaterThanOrEqualTo(13);
        assertThat(sections("prefilters.md")).hasSize(classes(RequestPrefilter.class, "prefilter"))
                .hasSizeGreaterThanOrEqualTo(14);
    }

    @Test
    void optionsPageHasEveryOption() throws IOException {
        assertThat(rows("options.md")).doesNotHaveDuplicates()
                .hasSize(NovaOption.all(SOURCES).size() + DeclaredKey.all(SOURCES).size())
                .hasSizeGreaterThanOrEqualTo(120);
    }

    @Test
    void errorsPageHasEveryErrorCode() {
        assertThat(rows("errors.md")).doesNotHaveDuplicates()
                .containsAll(Stream.of(io.berth.scheduler.http.ErrorCode.values())
                        .map(io.berth.scheduler.http.ErrorCode::code).toList())
                .containsAll(Stream.of(io.berth.placement.http.ErrorCode.values())
                        .map(io.berth.placement.http.ErrorCode::wire).toList());
    }

    /** Returns the number of classes that the scheduler ships. */
    private static int classes(Class<?> kind, String packageName) {
        return (int) Compiled.CLASSES.stream()
                .filter(each -> each.isAssignableTo(kind.getName()))
                .filter(each -> !each.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(each -> each.getPackageName().matches("io.berth.scheduler.(legacy.)?" + packageName))
                .filter(JavaClass::isTopLevelClass)
                .count();
    }

    private static List<String> sections(String page) {
        return text(page).lines().filter(line -> line.startsWith("## ")).toList();
    }

    private static List<String> rows(String page) {
        return NAMED_ROW.matcher(text(page)).results().map((MatchResult row) -> row.group(1)).toList();
    }

    private static String text(String page) {
        return PAGES.stream().filter(each -> each.name().equals(page)).findFirst().orElseThrow().text();
    }
}
