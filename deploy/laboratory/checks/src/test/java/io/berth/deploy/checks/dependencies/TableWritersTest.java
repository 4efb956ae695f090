package io.berth.deploy.checks.dependencies;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that only the owning classes have the SQL that writes a table, so that a column is added in one place. */
class TableWritersTest {
    private static final List<Path> SOURCES =
            ProjectFiles.matching(Pattern.compile("scheduler-service/.*src/main/java/.*\\.java"));

    @ParameterizedTest
    @CsvSource({
        "instances, InstanceSql.java",
        "server_groups, GroupMembershipSql.java",
        "server_group_members, GroupMembershipSql.java ServerGroupMembers.java"
    })
    void onlyTheOwnersWriteTheTable(String table, String owners) throws IOException {
        Pattern write = Pattern.compile("\\b(?:INSERT\\s+INTO|UPDATE|DELETE\\s+FROM)\\s+" + table + "\\b");
        List<String> writers = new ArrayList<>();
        for (Path source : SOURCES) {
            if (write.matcher(Files.readString(source)).find()) {
                writers.add(source.getFileName().toString());
            }
        }
        assertThat(writers)
                .as("sources with SQL that writes %s: compose the statement of the fragments in %s", table, owners)
                .containsExactlyInAnyOrder(owners.split(" "));
    }
}
