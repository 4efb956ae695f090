package io.berth.deploy.checks.packages;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the packages that {@code deploy/release} builds against the services' keys and shutdown times. */
class PackagesTest {
    private static final Path PACKAGES = ProjectFiles.ROOT.resolve("deploy/packages");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^#(BERTH_[A-Z0-9_]+)=");

    /** A service refuses to start or warns if a key is wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void sampleConfigurationHasOnlyKeysOfItsService(String service) throws IOException {
        List<String> known = keys(service).toList();
        assertThat(SAMPLE.matcher(Files.readString(PACKAGES.resolve(service + ".conf"))).results()
                .map((MatchResult found) -> found.group(1)))
                .contains("BERTH_DATABASE_URL")
                .allSatisfy(name -> assertThat(known).contains(name));
    }

    /** systemd must not kill a service that is still writing. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void systemdWaitsForTheLastWrites(String service) throws IOException {
        String script = Files.readString(ProjectFiles.ROOT.resolve("deploy/release"));
        var stop = Pattern.compile(service + "\\) title=.* stop=(\\d+)").matcher(script);
        assertThat(stop.find()).isTrue();
        assertThat(Integer.parseInt(stop.group(1))).isGreaterThanOrEqualTo(ProjectFiles.secondsToStop(service) + 15);
    }

    private static Stream<String> keys(String service) throws IOException {
        Path keys = ProjectFiles.ROOT.resolve("shared-model/identity/src/main/resources/berth-keys.txt");
        Stream<String> read = Files.readAllLines(keys).stream()
                .filter(line -> line.startsWith("both ") || line.startsWith(service + " "))
                .map(line -> line.split(" ")[1].toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"));
        return Stream.concat(read, Stream.of("BERTH_JAVA_OPTS"));
    }
}
