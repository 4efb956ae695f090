package io.berth.deploy.checks.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that database migrations are compatible with the previous version during a rolling update. */
class MigrationsTest {
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>berth</artifactId>\\s*<version>([^<]+)</version>");

    static List<Path> migrations() throws IOException {
        try (Stream<Path> placement = Files.walk(resources("placement-service/core"));
                Stream<Path> scheduler = Files.walk(resources("scheduler-service/core"))) {
            return Stream.concat(placement, scheduler).filter(file -> file.toString().endsWith(".sql")).sorted()
                    .toList();
        }
    }

    private static Path resources(String module) {
        return ProjectFiles.ROOT.resolve(module + "/src/main/resources/db");
    }

    private static String version() throws IOException {
        Matcher version = VERSION.matcher(Files.readString(ProjectFiles.ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    @Test
    void bothServicesHaveMigrations() throws IOException {
        assertThat(migrations()).anyMatch(file -> file.startsWith(resources("placement-service/core")))
                .anyMatch(file -> file.startsWith(resources("scheduler-service/core")));
    }

    /** Flyway refuses to start if a number is used twice. */
    @Test
    void migrationNumbersAreUnique() throws IOException {
        assertThat(migrations().stream()
                .map(file -> file.getParent() + " " + file.getFileName().toString().replaceFirst("__.*", "")))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("migrations")
    void removeNothingThatThePreviousVersionUses(Path file) throws IOException {
        assertThat(Contraction.offences(Files.readString(file), version())).as(file.toString()).isEmpty();
    }

    /** A service must start with a newer schema; {@code deploy/test/rolling-restart} tests it. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void servicesAcceptMigrationsNewerThanThemselves(String service) {
        assertThat(ProjectFiles.propertiesOf(service).getProperty("quarkus.flyway.ignore-future-migrations"))
                .isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "DROP TABLE consumers",
        "alter table consumers drop column user_id",
        "ALTER TABLE consumers RENAME TO holders",
        "ALTER TABLE consumers RENAME COLUMN user_id TO \"user\"",
        "ALTER TABLE consumers RENAME user_id TO holder",
        "ALTER TABLE inventories ALTER COLUMN used TYPE integer",
        "ALTER TABLE inventories ALTER used SET DATA TYPE integer",
        "ALTER TABLE consumers ALTER COLUMN consumer_type SET NOT NULL",
        "ALTER TABLE consumers ALTER COLUMN generation DROP DEFAULT",
        "ALTER TABLE consumers ADD COLUMN region text NOT NULL",
        "ALTER TABLE consumers ADD region text COLLATE \"C\" NOT NULL, ADD COLUMN zone text NOT NULL DEFAULT ''",
        "ALTER TABLE consumers ADD CONSTRAINT few CHECK (generation < 10)",
        "ALTER TABLE consumers ADD UNIQUE (project_id)",
        "CREATE UNIQUE INDEX one_each ON consumers (project_id)",
        "ALTER TABLE consumers SET SCHEMA elsewhere",
        "TRUNCATE audits",
        "DO $$ BEGIN DROP TABLE consumers; END $$",
        "SELECT ';'; DROP INDEX consumers_project"})
    void refusesStatementsThatBreakOldReplicas(String sql) {
        assertThat(Contraction.offences(sql + ";", "0.9.0")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "CREATE TABLE regions (name text NOT NULL); CREATE UNIQUE INDEX regions_name ON regions (name)",
        "ALTER TABLE consumers ADD COLUMN region text",
        "ALTER TABLE consumers ADD COLUMN region text NOT NULL DEFAULT 'none'",
        "ALTER TABLE consumers ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY NOT NULL",
        "ALTER TABLE consumers ALTER COLUMN user_id DROP NOT NULL",
        "CREATE INDEX consumers_user ON consumers (user_id)",
        "INSERT INTO traits (name) VALUES ('DROP TABLE traits')",
        "-- DROP TABLE traits\nSELECT 1"})
    void acceptsAdditiveStatements(String sql) {
        assertThat(Contraction.offences(sql + ";", "0.9.0")).isEmpty();
    }

    @ParameterizedTest(name = "unused since {0}, built as {1}: allowed={2}")
    @CsvSource({
        "0.2.0, 0.3.0-SNAPSHOT, true",
        "0.2.0, 0.2.0-SNAPSHOT, false",
        "0.3.0, 0.2.0,          false",
        "0.9.0, 0.10.0,         true"})
    void allowsRemovalIfAnOlderVersionNoLongerUsedIt(String since, String version, boolean allowed) {
        String sql = "-- unused since " + since + ": no code reads it\nALTER TABLE consumers DROP COLUMN user_id;";
        assertThat(Contraction.offences(sql, version).isEmpty()).isEqualTo(allowed);
    }

    @Test
    void requiresAReasonForEachStatement() {
        assertThat(Contraction.offences("-- unused since 0.1.0\nDROP TABLE a;", "0.9.0")).hasSize(1);
        assertThat(Contraction.offences("-- unused since 0.1.0: gone\nDROP TABLE a; DROP TABLE b;", "0.9.0"))
                .containsExactly("drops: DROP TABLE b");
    }
}
