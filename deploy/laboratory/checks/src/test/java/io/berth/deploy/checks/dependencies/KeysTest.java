package io.berth.deploy.checks.dependencies;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Does {@code berth-keys.txt} name every key that a class declares, for whom it is, and no other? */
class KeysTest {
    private static final String PROPERTY = "org.eclipse.microprofile.config.inject.ConfigProperty";
    private static final String MAPPING = "io.smallrye.config.ConfigMapping";
    /** Read before there are beans, or by an expression; and nova's options, which ConfiguredOptions checks. */
    private static final List<String> READ_OTHERWISE = List.of(
            "both berth.database-url", "both berth.log.json", "scheduler berth.nova-conf",
            "scheduler berth.scheduler.*");

    @Test
    void theListIsWhatTheClassesDeclare() throws IOException {
        Set<String> declared = new TreeSet<>(READ_OTHERWISE);
        for (JavaClass each : Compiled.CLASSES) {
            String reader = each.getPackageName().startsWith("io.berth.placement") ? "placement "
                    : each.getPackageName().startsWith("io.berth.scheduler") ? "scheduler " : "both ";
            keys(each).filter(key -> key.startsWith("berth.")).forEach(key -> declared.add(reader + key));
        }
        List<String> listed = Files.readAllLines(
                        ProjectFiles.ROOT.resolve("shared-model/identity/src/main/resources/berth-keys.txt"))
                .stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(declared).hasSizeGreaterThan(50);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(declared);
    }

    private static Stream<String> keys(JavaClass reader) {
        Stream<JavaAnnotation<?>> injected = Stream.concat(
                reader.getFields().stream().flatMap(field -> field.getAnnotations().stream()),
                reader.getCodeUnits().stream()
                        .flatMap(unit -> unit.getParameters().stream())
                        .flatMap(parameter -> parameter.getAnnotations().stream()));
        Stream<String> properties = injected
                .filter(annotation -> annotation.getRawType().getName().equals(PROPERTY))
                .map(annotation -> (String) annotation.get("name").orElseThrow());
        Stream<String> mapped = reader.tryGetAnnotationOfType(MAPPING).stream()
                .flatMap(mapping -> members(reader, (String) mapping.get("prefix").orElseThrow()));
        return Stream.concat(properties, mapped);
    }

    private static Stream<String> members(JavaClass group, String prefix) {
        return group.getMethods().stream().flatMap(method -> member(method, prefix + "." + kebab(method.getName())));
    }

    private static Stream<String> member(JavaMethod method, String key) {
        JavaClass type = method.getRawReturnType();
        return type.getPackageName().startsWith("io.berth") ? members(type, key) : Stream.of(key);
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
