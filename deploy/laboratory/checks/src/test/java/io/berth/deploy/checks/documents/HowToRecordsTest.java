package io.berth.deploy.checks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that a fresh demo removes the records that the how-tos register, so that the next page works as described. */
class HowToRecordsTest {
    private static final Pattern REGISTERED =
            Pattern.compile(
                    "-X PUT \\$S/v1/(?:compute_nodes|services|cells|host_aggregates|server_groups)/([0-9a-f-]{36})");
    private static final Pattern REMOVED = Pattern.compile("UUID\\.fromString\\(\"([0-9a-f-]{36})\"\\)");

    private static Set<String> uuids(Pattern pattern, List<Path> files) throws IOException {
        var uuids = new TreeSet<String>();
        for (Path file : files) {
            pattern.matcher(Files.readString(file)).results().forEach(found -> uuids.add(found.group(1)));
        }
        return uuids;
    }

    @Test
    void theDemoRemovesWhatTheHowTosRegister() throws IOException {
        try (Stream<Path> pages = Files.list(ProjectFiles.ROOT.resolve("docs/how-to"))) {
            Set<String> registered = uuids(REGISTERED, pages.toList());
            assertThat(registered).isNotEmpty();
            assertThat(uuids(REMOVED, List.of(ProjectFiles.ROOT.resolve(
                    "deploy/command/src/main/java/io/berth/deploy/demo/DemoFleet.java")))).isEqualTo(registered);
        }
    }
}
