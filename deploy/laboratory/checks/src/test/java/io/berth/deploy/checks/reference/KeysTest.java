package io.berth.deploy.checks.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that {@code berth-keys.txt} names every key that a class declares, its reader, and no other key. */
class KeysTest {
    @Test
    void theListHasExactlyTheDeclaredKeys() throws IOException {
        List<String> declared = DeclaredKey.all(new Sources()).stream()
                .map(key -> key.reader() + " " + key.key())
                .toList();
        List<String> listed = listed()
                .map(line -> line.replaceFirst(" secret$", ""))
                // Lines for nova's options, which ConfiguredOptions handles.
                .filter(line -> !line.endsWith("*"))
                .toList();
        assertThat(declared).hasSizeGreaterThan(60);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(
                declared.stream().filter(key -> !key.contains(" berth.scheduler.")).toList());
    }

    /** A secret can also be read from a file. */
    @Test
    void secretsAreMarked() throws IOException {
        List<String> secret = DeclaredKey.all(new Sources()).stream()
                .filter(key -> key.key().matches(".*(password|secret|-token)") || key.text().contains(":password@"))
                .map(key -> key.reader() + " " + key.key())
                .toList();
        assertThat(secret).hasSizeGreaterThan(6);
        assertThat(listed().filter(line -> line.endsWith(" secret")).map(line -> line.replaceFirst(" secret$", ""))
                .toList())
                .containsAll(secret);
    }

    private static Stream<String> listed() throws IOException {
        return Files.readAllLines(ProjectFiles.ROOT.resolve("shared-model/identity/src/main/resources/berth-keys.txt"))
                .stream()
                .filter(line -> !line.startsWith("#"));
    }
}
