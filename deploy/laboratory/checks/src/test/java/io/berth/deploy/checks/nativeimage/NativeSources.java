package io.berth.deploy.checks.nativeimage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The input of a native build of one service, as Quarkus leaves it in {@code target/native-sources}: the runner jar
 * with its native-image configuration, the libraries beside it and the arguments.
 *
 * @param classes Berth's classes by internal name, from the runner and from its own modules
 * @param reflective names of the classes that reflection finds
 * @param resources patterns of the files that remain readable
 * @param bundles names of the resource bundles that remain loadable
 * @param files names of the entries of the runner and of Berth's own modules that are not classes
 * @param libraries file names of the jars, without "modified-" and ending
 */
record NativeSources(
        Map<String, ClassModel> classes, Set<String> reflective, List<Pattern> resources, Set<String> bundles,
        List<String> files, Set<String> libraries, String arguments) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONFIGURATION = "META-INF/native-image/";

    /** @param service placement or scheduler */
    static NativeSources of(String service) {
        Path folder = ProjectFiles.ROOT.resolve(service + "-service/target/native-sources");
        var classes = new TreeMap<String, ClassModel>();
        var reflective = new HashSet<String>();
        var resources = new ArrayList<Pattern>();
        var bundles = new HashSet<String>();
        var files = new ArrayList<String>();
        var libraries = new HashSet<String>();
        try (Stream<Path> jars = Files.walk(folder).filter(file -> file.toString().endsWith(".jar"))) {
            for (Path jar : jars.toList()) {
                String name = jar.getFileName().toString().replaceFirst("^modified-", "").replaceFirst("\\.jar$", "");
                boolean runner = jar.getParent().equals(folder);
                if (!runner) {
                    libraries.add(name);
                }
                try (var zip = new ZipFile(jar.toFile())) {
                    for (ZipEntry entry : zip.stream().filter(each -> !each.isDirectory()).toList()) {
                        String path = entry.getName();
                        if (path.startsWith("io/berth/") && path.endsWith(".class")) {
                            ClassModel model = ClassFile.of().parse(bytes(zip, entry));
                            classes.put(model.thisClass().asInternalName(), model);
                        } else if ((runner || name.startsWith("io.berth.")) && !path.endsWith(".class")) {
                            files.add(path);
                        }
                        if (path.startsWith(CONFIGURATION) && path.endsWith("/reflect-config.json")) {
                            JSON.readTree(bytes(zip, entry))
                                    .forEach(item -> reflective.add(item.path("name").textValue()));
                        } else if (path.startsWith(CONFIGURATION) && path.endsWith("/resource-config.json")) {
                            JsonNode read = JSON.readTree(bytes(zip, entry));
                            read.at("/resources/includes")
                                    .forEach(item -> resources.add(Pattern.compile(item.path("pattern").textValue())));
                            read.path("bundles").forEach(item -> bundles.add(item.path("name").textValue()));
                        }
                    }
                }
            }
            return new NativeSources(
                    classes, reflective, resources, bundles, files, libraries,
                    Files.readString(folder.resolve("native-image.args")));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no native sources of " + service + ": deploy/test/native-sources makes them", e);
        }
    }

    boolean keeps(String resource) {
        return resources.stream().anyMatch(pattern -> pattern.matcher(resource).matches());
    }

    private static byte[] bytes(ZipFile zip, ZipEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
