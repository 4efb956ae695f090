package io.berth.deploy.checks.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the container files of {@code deploy/containers} against the services' properties and modules. */
class ContainerfilesTest {
    private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(.+) \\S+$");

    @ParameterizedTest(name = "{0}-{1}")
    @CsvSource({"placement, jvm", "placement, native", "scheduler, jvm", "scheduler, native"})
    void runsWithoutRootAndWithoutAShellOnTheServicesPort(String service, String form) throws IOException {
        String text = read(service, form);
        String last = text.substring(text.lastIndexOf("\nFROM "));
        String port = ProjectFiles.propertiesOf(service).getProperty("quarkus.http.port");
        assertThat(last).contains("USER 10001:10001", "STOPSIGNAL SIGTERM", "EXPOSE " + port + "\n",
                "QUARKUS_HTTP_PORT=" + port);
        assertThat(last).containsPattern("\nENTRYPOINT \\[\"/opt/berth/").containsPattern("CMD \\[\"/opt/berth/");
        assertThat(last).contains("\"health\"]").doesNotContain("\nRUN ");
    }

    @ParameterizedTest(name = "{0}-{1}")
    @CsvSource({
        "placement, jvm, MaxRAMPercentage", "placement, native, MaximumHeapSizePercent",
        "scheduler, jvm, MaxRAMPercentage", "scheduler, native, MaximumHeapSizePercent"})
    void limitsTheHeapAndExitsWithoutMemoryInBothForms(String service, String form, String percent) throws IOException {
        String text = read(service, form);
        assertThat(text.substring(text.lastIndexOf("\nENTRYPOINT ")))
                .contains("\"-XX:" + percent + "=60\"", "\"-XX:+ExitOnOutOfMemoryError\"");
    }

    /** Tests would make a native build even slower. */
    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void compilesNoTestsInANativeBuild(String service) throws IOException {
        assertThat(read(service, "native")).contains("-Dmaven.test.skip");
    }

    @ParameterizedTest(name = "{0}-{1}")
    @CsvSource({"placement, jvm", "placement, native", "scheduler, jvm", "scheduler, native", "command, jvm"})
    void copiesOnlyFoldersThatExist(String service, String form) throws IOException {
        var copied = COPIED.matcher(read(service, form));
        while (copied.find()) {
            for (String path : copied.group(1).split(" ")) {
                String module = path.replaceFirst("/?target/.*", "");
                Path source = ProjectFiles.ROOT.resolve(module.isEmpty() ? "." : module);
                assertThat(source).as(path).exists();
            }
        }
    }

    /** The user chooses the registry. */
    @ParameterizedTest(name = "{0}-{1}")
    @CsvSource({"placement, jvm", "placement, native", "scheduler, jvm", "scheduler, native", "command, jvm"})
    void namesNoRegistry(String service, String form) throws IOException {
        List<String> images = read(service, form).lines()
                .filter(line -> line.matches("ARG (JDK|BASE|BUILDER)\\b.*"))
                .toList();
        assertThat(images).hasSize(2).allSatisfy(line -> assertThat(line).doesNotContain("/"));
    }

    private static String read(String service, String form) throws IOException {
        String file = "deploy/containers/" + service + "-" + form + ".Containerfile";
        return Files.readString(ProjectFiles.ROOT.resolve(file));
    }
}
