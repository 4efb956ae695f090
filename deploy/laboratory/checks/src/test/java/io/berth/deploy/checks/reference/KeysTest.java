package io.berth.deploy.checks.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Does {@code berth-keys.txt} name every key that a class declares, for whom it is, and no other? */
class KeysTest {
    @Test
    void theListIsWhatTheClassesDeclare() throws IOException {
        List<String> declared = DeclaredKey.all(new Sources()).stream()
                .map(key -> key.reader() + " " + key.key())
                .toList();
        List<String> listed = Files.readAllLines(
                ProjectFiles.ROOT.resolve("shared-model/identity/src/main/resources/berth-keys.txt"))
                .stream()
                .filter(line -> !line.startsWith("#"))
                // Nova's options, which ConfiguredOptions knows.
                .filter(line -> !line.endsWith("*"))
                .toList();
        assertThat(declared).hasSizeGreaterThan(60);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(
                declared.stream().filter(key -> !key.contains(" berth.scheduler.")).toList());
    }
}
