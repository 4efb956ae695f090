package io.berth.deploy.checks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs {@code kubectl kustomize} on a folder; without kubectl the tests that call it are skipped. */
final class Kustomize {
    private Kustomize() {}

    static List<Manifest> assembled(Path folder) throws IOException, InterruptedException {
        assumeTrue(isThere(), "skipped: no kubectl with kustomize 5 in the PATH");
        var kubectl = new ProcessBuilder("kubectl", "kustomize", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var text = new InputStreamReader(kubectl.getInputStream(), StandardCharsets.UTF_8)) {
            List<Manifest> assembled = ProjectFiles.documents(text).stream()
                    .map(each -> new Manifest(folder.toString(), each))
                    .toList();
            assertThat(kubectl.waitFor()).isZero();
            return assembled;
        }
    }

    private static boolean isThere() throws InterruptedException {
        try {
            var version = new ProcessBuilder("kubectl", "version", "--client").redirectErrorStream(true).start();
            String output = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return version.waitFor() == 0 && output.contains("Kustomize Version: v5");
        } catch (IOException e) {
            return false;
        }
    }
}
