package io.berth.deploy.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that each test gives up waiting at some time. */
class WaitsTest {
    private static final Pattern TESTS = Pattern.compile(".*/src/test/java/.*\\.java");
    /** A loop that does nothing but wait until its condition, which does not read the time, is false. */
    private static final Pattern ENDLESS =
            Pattern.compile("while \\((?!.*nanoTime)[^{]*\\) \\{\\s*Thread\\.(sleep|onSpinWait)\\([^)]*\\);\\s*}");

    @Test
    void noTestWaitsWithoutALimit() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : ProjectFiles.matching(TESTS)) {
            Matcher matcher = ENDLESS.matcher(Files.readString(file));
            while (matcher.find()) {
                found.add(ProjectFiles.ROOT.relativize(file) + ": " + matcher.group());
            }
        }
        assertThat(found).as("wait with Await.eventually instead").isEmpty();
    }

    @Test
    void findsAWaitWithoutALimit() {
        assertThat(ENDLESS.matcher("while (!done.get()) {\n    Thread.onSpinWait();\n}").find()).isTrue();
        assertThat(ENDLESS.matcher("while (System.nanoTime() < until) {\n    Thread.sleep(10);\n}").find()).isFalse();
    }
}
