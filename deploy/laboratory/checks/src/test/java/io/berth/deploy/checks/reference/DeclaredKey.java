package io.berth.deploy.checks.reference;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import io.berth.deploy.checks.ProjectFiles;
import io.berth.deploy.checks.dependencies.Compiled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A key of configuration {@code berth.*} that a class reads; nova's options are {@link NovaOption}.
 *
 * @param reader {@code placement}, {@code scheduler} or {@code both}
 * @param type in words
 * @param byDefault empty: none
 * @param text its description; empty if it has none
 */
record DeclaredKey(String reader, String key, String type, String byDefault, String text) {
    private static final String PROPERTY = "org.eclipse.microprofile.config.inject.ConfigProperty";
    private static final String MAPPING = "io.smallrye.config.ConfigMapping";
    private static final String DEFAULT = "io.smallrye.config.WithDefault";
    /**
     * Keys that are read before beans exist, or with nova's options; the constant that names them has their
     * description.
     */
    private static final Map<String, String> CONSTANTS = Map.of(
            "berth.database-url", "both",
            "berth.nova-conf", "scheduler",
            "berth.scheduler.require-owner-nova", "scheduler",
            "berth.scheduler.require-tpm-model", "scheduler",
            "berth.scheduler.require-tpm-secret-security", "scheduler",
            "berth.scheduler.strict-names", "scheduler",
            "berth.tls.ca", "both",
            "berth.tls.certificate", "both",
            "berth.tls.key", "both");
    /** The file whose expressions read keys; the comment before an expression describes its key. */
    private static final Path EXPRESSIONS = ProjectFiles.ROOT.resolve(
            "shared-model/platform/src/main/resources/META-INF/microprofile-config.properties");
    private static final Pattern EXPRESSION =
            Pattern.compile("# (?:berth[.\\w-]+: )?(.*)\n[\\w.]+=\\$\\{(berth[.\\w-]+):(\\w+)}");

    /** Returns all keys in the order of reader and name. */
    static List<DeclaredKey> all(Sources sources) {
        List<DeclaredKey> found = new ArrayList<>();
        CONSTANTS.forEach((key, reader) -> {
            Doc doc = sources.ofConstant(key);
            String byDefault = doc.parts().getOrDefault("Default", "");
            found.add(new DeclaredKey(reader, key, byDefault.isEmpty() ? "text" : "boolean", byDefault, doc.text()));
        });
        Matcher expressions = EXPRESSION.matcher(textOf(EXPRESSIONS));
        while (expressions.find()) {
            found.add(new DeclaredKey(
                    "both", expressions.group(2), "boolean", expressions.group(3), expressions.group(1)));
        }
        for (JavaClass each : Compiled.CLASSES) {
            String reader = each.getPackageName().startsWith("io.berth.placement") ? "placement"
                    : each.getPackageName().startsWith("io.berth.scheduler") ? "scheduler" : "both";
            Stream.concat(injected(each, reader, sources), mapped(each, reader, sources))
                    .filter(key -> key.key().startsWith("berth."))
                    .forEach(found::add);
        }
        found.sort(Comparator.comparing(DeclaredKey::reader).thenComparing(DeclaredKey::key));
        return found;
    }

    /** Returns the name of the environment variable. */
    String variable() {
        return key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    private static Stream<DeclaredKey> injected(JavaClass of, String reader, Sources sources) {
        return of.getConstructors().stream()
                .flatMap(constructor -> constructor.getParameters().stream())
                .flatMap(parameter -> parameter.tryGetAnnotationOfType(PROPERTY).stream()
                        .map(annotation -> injected(of, reader, sources, parameter, annotation)));
    }

    private static DeclaredKey injected(
            JavaClass of, String reader, Sources sources, JavaParameter parameter, JavaAnnotation<?> annotation) {
        return new DeclaredKey(
                reader,
                (String) annotation.get("name").orElseThrow(),
                type(parameter.getType()),
                annotation.get("defaultValue").map(String::valueOf).orElse(""),
                sources.ofParameter(of.getName(), parameter.getOwner().getParameters().size(), parameter.getIndex()));
    }

    private static Stream<DeclaredKey> mapped(JavaClass of, String reader, Sources sources) {
        return of.tryGetAnnotationOfType(MAPPING).stream().flatMap(
                mapping -> members(of, reader, (String) mapping.get("prefix").orElseThrow(), sources));
    }

    private static Stream<DeclaredKey> members(JavaClass group, String reader, String prefix, Sources sources) {
        return group.getMethods().stream().flatMap(
                method -> member(method, reader, prefix + "." + kebab(method.getName()), sources));
    }

    private static Stream<DeclaredKey> member(JavaMethod method, String reader, String key, Sources sources) {
        JavaClass type = method.getRawReturnType();
        if (type.getPackageName().startsWith("io.berth")) {
            return members(type, reader, key, sources);
        }
        String byDefault = method.tryGetAnnotationOfType(DEFAULT)
                .flatMap(annotation -> annotation.get("value"))
                .map(String::valueOf)
                .orElse("");
        String text = sources.ofMember(method.getOwner().getName(), method.getName()).text();
        return Stream.of(new DeclaredKey(reader, key, type(method.getReturnType()), byDefault, text));
    }

    private static String type(JavaType type) {
        JavaType stated = type instanceof JavaParameterizedType generic
                ? generic.getActualTypeArguments().getFirst()
                : type;
        String name = stated.toErasure().getSimpleName();
        return switch (name) {
            case "String" -> "text";
            case "List" -> "list";
            case "int", "long", "Integer" -> "integer";
            case "boolean" -> "boolean";
            case "Duration" -> "duration";
            case "MemorySize" -> "bytes";
            default -> throw new IllegalStateException("no words for the type " + name);
        };
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
