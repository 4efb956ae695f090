package io.berth.deploy.checks;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of the project as the tests see them. */
public final class ProjectFiles {
    public static final Path ROOT =
            Path.of(System.getProperty("berth.root", "../../..")).toAbsolutePath().normalize();
    private static final Pattern BUILT = Pattern.compile("target|node_modules|\\.git|\\.ci-work");

    private ProjectFiles() {}

    /** Returns the files below {@link #ROOT} whose relative path matches, in order, without build output. */
    public static List<Path> matching(Pattern path) {
        return All.FILES.stream().filter(file -> path.matcher(ROOT.relativize(file).toString()).matches()).toList();
    }

    /** All files, listed once for all tests. */
    private static final class All {
        static final List<Path> FILES = list();

        private static List<Path> list() {
            List<Path> found = new ArrayList<>();
            try {
                Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                        return !folder.equals(ROOT) && BUILT.matcher(folder.getFileName().toString()).matches()
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        found.add(file);
                        return FileVisitResult.CONTINUE;
                    }
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Collections.sort(found);
            return List.copyOf(found);
        }
    }

    /** Returns the folders of the modules with main sources, except those of {@code deploy}. */
    public static Set<Path> modules() {
        Set<Path> modules = new TreeSet<>();
        for (String name : new String[] {"shared-model", "placement-service", "scheduler-service"}) {
            Path part = ROOT.resolve(name);
            try (Stream<Path> below = Files.list(part)) {
                Stream.concat(Stream.of(part), below)
                        .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                        .forEach(modules::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return modules;
    }

    /** Returns the documents of a YAML file in order; a duplicate key is an error. */
    public static List<Map<String, Object>> documents(Path file) {
        try (Reader text = Files.newBufferedReader(file)) {
            return documents(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Map<String, Object>> documents(Reader text) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
            documents.add(Yamls.map(document));
        }
        return documents;
    }

    /** Returns {@code application.properties} of placement or scheduler. */
    public static Properties propertiesOf(String service) {
        var properties = new Properties();
        Path file = ROOT.resolve(service + "-service/src/main/resources/application.properties");
        try (Reader text = Files.newBufferedReader(file)) {
            properties.load(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    /** Returns the time that a service may take to stop, without {@code quarkus.shutdown.delay}. */
    public static int secondsToStop(String service) {
        // Placement drains the ledger's batches; the scheduler drains nova's requests, confirmations and records.
        int drain = service.equals("placement") ? 10 : 15 + 10 + 10;
        return seconds(propertiesOf(service).getProperty("quarkus.shutdown.timeout")) + drain;
    }

    /** @param text such as 20S */
    public static int seconds(String text) {
        return (int) Duration.parse("PT" + text).toSeconds();
    }
}
